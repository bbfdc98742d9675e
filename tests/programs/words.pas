{ SPDX-License-Identifier: GPL-3.0-or-later

  Counts words in a binary tree: units, nested procedures, objects with virtual methods, overloading. }
program words;

{$mode objfpc}{$H+}

uses
  SysUtils;

type
  TCounter = class
  public
    function Weight(const s: string): longint; virtual; abstract;
  end;

  TLength = class(TCounter)
  public
    function Weight(const s: string): longint; override;
  end;

  TVowels = class(TCounter)
  public
    function Weight(const s: string): longint; override;
  end;

  PNode = ^TNode;
  TNode = record
    key: string;
    count: longint;
    left, right: PNode;
  end;

function TLength.Weight(const s: string): longint;
begin
  Result := Length(s);
end;

function TVowels.Weight(const s: string): longint;
var
  i: longint;

  function IsVowel(c: char): boolean;
  begin
    IsVowel := c in ['a', 'e', 'i', 'o', 'u'];
  end;

begin
  Result := 0;
  for i := 1 to Length(s) do
    if IsVowel(s[i]) then
      Inc(Result);
end;

procedure Add(var root: PNode; const key: string);
begin
  if root = nil then
  begin
    New(root);
    root^.key := key;
    root^.count := 1;
    root^.left := nil;
    root^.right := nil;
  end
  else if key < root^.key then
    Add(root^.left, key)
  else if key > root^.key then
    Add(root^.right, key)
  else
    Inc(root^.count);
end;

function Sum(root: PNode; counter: TCounter): longint;
begin
  if root = nil then
    Exit(0);
  Result := root^.count * counter.Weight(root^.key);
  Result := Result + Sum(root^.left, counter) + Sum(root^.right, counter);
end;

procedure Show(value: longint); overload;
begin
  WriteLn(value);
end;

procedure Show(const title: string; value: longint); overload;
begin
  Write(title, ' ');
  Show(value);
end;

var
  root: PNode = nil;
  seed, rounds: longint;

  function NextWord: string;
  const
    syllable: array[0..7] of string = ('ka', 'lo', 'mi', 'ne', 'ru', 'to', 'sta', 'vil');
  var
    i: longint;
  begin
    Result := '';
    for i := 0 to 2 do
    begin
      seed := (seed * 1103 + 12345) and $ffffff;
      Result := Result + syllable[(seed shr 9) and 7];
    end;
  end;

var
  i: longint;
  long, vowels: TCounter;
begin
  rounds := 1;
  if ParamCount > 0 then
    rounds := StrToInt(ParamStr(1));
  seed := 1;
  for i := 1 to 150000 * rounds do
    Add(root, NextWord);
  long := TLength.Create;
  vowels := TVowels.Create;
  Show(Sum(root, long));
  Show('vowels', Sum(root, vowels));
  vowels.Free;
  long.Free;
end.
