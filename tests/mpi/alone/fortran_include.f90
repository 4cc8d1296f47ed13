! Fortran with `include 'mpif.h'`: wildcard Irecv with Test, Waitall, Iprobe and Wtime.
program fortran_include
  implicit none
  include 'mpif.h'
  interface
    subroutine noise() bind(c)
    end subroutine
  end interface
  integer, parameter :: messages = 8
  integer rank, error, i, j, value, failures, request
  integer values(3), requests(3), statuses(MPI_STATUS_SIZE, 3), status(MPI_STATUS_SIZE)
  logical flag

  call MPI_INIT(error)
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, error)
  if (rank /= 0) then
    do i = 1, 3 * messages
      call noise()
      value = 100 * rank + i
      call MPI_SEND(value, 1, MPI_INTEGER, 0, (i - 1) / messages, MPI_COMM_WORLD, error)
    end do
  else
    do i = 1, 3 * messages
      call MPI_IRECV(value, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, request, error)
      flag = .false.
      failures = -1
      do while (.not. flag)
        call MPI_TEST(request, flag, status, error)
        failures = failures + 1
      end do
      print '(i0,a,2i4,i8)', rank, ' test', status(MPI_SOURCE), value, failures
    end do
    do i = 1, messages
      do j = 1, 3
        call MPI_IRECV(values(j), 1, MPI_INTEGER, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &
                       requests(j), error)
      end do
      if (mod(i, 2) == 0) then
        call MPI_WAITALL(3, requests, statuses, error)
        print '(i0,a,3i4)', rank, ' waitall', statuses(MPI_SOURCE, 1:3)
      else
        call MPI_WAITALL(3, requests, MPI_STATUSES_IGNORE, error)
        print '(i0,a,3i4)', rank, ' waitall', values
      end if
    end do
    do i = 1, 3 * messages
      flag = .false.
      failures = -1
      do while (.not. flag)
        call MPI_IPROBE(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, flag, status, error)
        failures = failures + 1
      end do
      call MPI_RECV(value, 1, MPI_INTEGER, status(MPI_SOURCE), 2, MPI_COMM_WORLD, status, error)
      print '(i0,a,2i4,i8)', rank, ' iprobe', status(MPI_SOURCE), value, failures
    end do
  end if
  print '(i0,a,f20.6)', rank, ' time', MPI_WTIME()
  call MPI_FINALIZE(error)
end program
