{ SPDX-License-Identifier: GPL-3.0-or-later

  True counts of a Pascal program. Its symbols have the unit and the types in their names. }
program languages;

{$mode objfpc}

var
  nsquare, ndepth, i: longint;
  sum: int64;

function square(x: longint): int64;
begin
  Inc(nsquare);
  square := int64(x) * x;
end;

procedure depth(n: longint);
begin
  Inc(ndepth);
  if n > 0 then
    depth(n - 1);
end;

function both(x: longint): int64;
begin
  both := square(x) + square(x + 1);
end;

begin
  sum := 0;
  for i := 1 to 3000 do
    sum := sum + both(i);
  depth(40);
  if sum = 0 then
    Halt(1);
  WriteLn('ARC PASCALMAIN P$LANGUAGES_$$_BOTH$LONGINT$$INT64 3000');
  WriteLn('ARC P$LANGUAGES_$$_BOTH$LONGINT$$INT64 P$LANGUAGES_$$_SQUARE$LONGINT$$INT64 ', nsquare);
  WriteLn('ARC PASCALMAIN P$LANGUAGES_$$_DEPTH$LONGINT 1');
  WriteLn('ARC P$LANGUAGES_$$_DEPTH$LONGINT P$LANGUAGES_$$_DEPTH$LONGINT ', ndepth - 1);
end.
