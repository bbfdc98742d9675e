! SPDX-License-Identifier: GPL-3.0-or-later
! ranks.c in Fortran, by the module that USED names; without an argument of MPI_Finalize where it may be left out.
subroutine leaf(n)
    integer :: n
    n = n + 1
end subroutine

program ranks
    use USED
    implicit none
    integer :: rank, i, n, error
    n = 0
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    do i = 1, 100 * (rank + 1)
        call leaf(n)
    end do
#ifdef OPTIONAL
    call MPI_Finalize()
#else
    call MPI_Finalize(error)
#endif
end program
