! Fortran with `use mpi`: wildcard Recv, Waitany, Waitsome, Testany and Probe, statuses as arrays.
program fortran_module
  use mpi
  implicit none
  interface
    subroutine noise() bind(c)
    end subroutine
  end interface
  integer, parameter :: messages = 8
  integer :: rank, error, i, j, value, which, some, total
  integer :: values(3), requests(3), indices(3), statuses(MPI_STATUS_SIZE, 3)
  integer :: status(MPI_STATUS_SIZE)
  logical :: flag

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  if (rank /= 0) then
    do i = 1, 5 * messages
      call noise()
      value = 100 * rank + i
      call MPI_Send(value, 1, MPI_INTEGER, 0, (i - 1) / messages, MPI_COMM_WORLD, error)
    end do
  else
    total = 3 * messages
    do i = 1, total
      call MPI_Recv(value, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, status, error)
      print '(i0,a,3i4)', rank, ' recv', status(MPI_SOURCE), status(MPI_TAG), value
    end do
    do i = 1, total
      call MPI_Probe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, status, error)
      call MPI_Recv(value, 1, MPI_INTEGER, status(MPI_SOURCE), 1, MPI_COMM_WORLD, &
                    MPI_STATUS_IGNORE, error)
      print '(i0,a,2i4)', rank, ' probe', status(MPI_SOURCE), value
    end do
    do i = 1, messages
      call post(2)
      do j = 1, 3
        call MPI_Waitany(3, requests, which, status, error)
        print '(i0,a,3i4)', rank, ' waitany', which, status(MPI_SOURCE), values(which)
      end do
    end do
    do i = 1, messages
      call post(3)
      j = 0
      do while (j < 3)
        call MPI_Waitsome(3, requests, some, indices, statuses, error)
        print '(i0,a,9i4)', rank, ' waitsome', indices(1:some), statuses(MPI_SOURCE, 1:some)
        j = j + some
      end do
    end do
    do i = 1, messages
      call post(4)
      j = 0
      do while (j < 3)
        call MPI_Testany(3, requests, which, flag, MPI_STATUS_IGNORE, error)
        if (flag) print '(i0,a,2i4)', rank, ' testany', which, values(which)
        if (flag) j = j + 1
      end do
    end do
  end if
  call MPI_Finalize(error)

contains
  subroutine post(tag)
    integer, intent(in) :: tag
    integer :: k
    do k = 1, 3
      call MPI_Irecv(values(k), 1, MPI_INTEGER, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &
                     requests(k), error)
    end do
  end subroutine
end program
