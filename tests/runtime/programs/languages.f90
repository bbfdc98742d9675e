! SPDX-License-Identifier: GPL-3.0-or-later
!
! True counts of a Fortran program: functions, a subroutine, recursion, a procedure within another.
module calls
  use iso_fortran_env, only: int64
  implicit none
  integer(int64) :: n_square = 0, n_depth = 0, n_inside = 0
contains
  integer function square(x)
    integer, intent(in) :: x
    n_square = n_square + 1
    square = x*x
  end function square

  recursive subroutine depth(n)
    integer, intent(in) :: n
    n_depth = n_depth + 1
    if (n > 0) call depth(n - 1)
    n_square = n_square + 0
  end subroutine depth

  integer function outer(x)
    integer, intent(in) :: x
    outer = inside(x) + inside(x + 1)
  contains
    integer function inside(y)
      integer, intent(in) :: y
      n_inside = n_inside + 1
      inside = square(y) + x
    end function inside
  end function outer
end module calls

program languages
  use calls
  implicit none
  integer :: i
  integer(int64) :: sum
  sum = 0
  do i = 1, 3000
    sum = sum + square(i)
    if (mod(i, 3) == 0) sum = sum + outer(mod(i, 100))
  end do
  call depth(40)
  if (sum == 0) stop 1
  print '(a,i0)', 'ARC MAIN__ __calls_MOD_square ', n_square - n_inside
  print '(a,i0)', 'ARC inside __calls_MOD_square ', n_inside
  print '(a,i0)', 'ARC __calls_MOD_outer inside ', n_inside
  print '(a)', 'ARC MAIN__ __calls_MOD_outer 1000'
  print '(a)', 'ARC MAIN__ __calls_MOD_depth 1'
  print '(a,i0)', 'ARC __calls_MOD_depth __calls_MOD_depth ', n_depth - 1
end program languages
