! Fortran with `use mpi_f08`: wildcard Recv, Sendrecv, Waitany and a communicator of its own.
program fortran_f08
  use mpi_f08
  implicit none
  interface
    subroutine noise() bind(c)
    end subroutine
  end interface
  integer, parameter :: messages = 9
  integer :: rank, i, value, which, to
  logical :: taken(3) = .false.
  integer, asynchronous :: values(3)
  type(MPI_Comm) :: comm
  type(MPI_Request) :: requests(3)
  type(MPI_Status) :: status

  call MPI_Init()
  call MPI_Comm_dup(MPI_COMM_WORLD, comm)
  call MPI_Comm_rank(comm, rank)
  do i = 1, messages
    call noise()
    to = mod(rank + 1 + mod(i, 3), 4)
    call MPI_Sendrecv(100 * rank + i, 1, MPI_INTEGER, to, 0, value, 1, MPI_INTEGER, &
                      MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status)
    print '(i0,a,2i4)', rank, ' sendrecv', status%MPI_SOURCE, value
  end do
  if (rank /= 0) then
    do i = 1, 2 * messages
      call noise()
      call MPI_Send(100 * rank + i, 1, MPI_INTEGER, 0, (i - 1) / messages, comm)
    end do
  else
    do i = 1, 3 * messages
      call MPI_Recv(value, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, comm, status)
      print '(i0,a,2i4)', rank, ' recv', status%MPI_SOURCE, value
    end do
    do i = 1, 3
      call MPI_Irecv(values(i), 1, MPI_INTEGER, MPI_ANY_SOURCE, 1, comm, requests(i))
    end do
    do i = 1, 3 * messages
      call MPI_Waitany(3, requests, which, status)
      which = 1  ! by the handles, since one version of MPICH counts from zero here
      do while (requests(which) /= MPI_REQUEST_NULL .or. taken(which))
        which = which + 1
      end do
      print '(i0,a,3i4)', rank, ' waitany', which, status%MPI_SOURCE, values(which)
      taken(which) = i + 3 > 3 * messages
      if (.not. taken(which)) then
        call MPI_Irecv(values(which), 1, MPI_INTEGER, MPI_ANY_SOURCE, 1, comm, requests(which))
      end if
    end do
  end if
  call MPI_Comm_free(comm)
  call MPI_Finalize()
end program
