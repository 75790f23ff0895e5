local floor = math.floor

local SIDE = 128
local MOV, ADD, SUB, MUL, MAD, MIN, MAX, SLT, FRC = 0, 1, 2, 3, 4, 5, 6, 7, 8
local code = {
  MUL, 6, 0, 0,
  MAD, 6, 1, 1,
  ADD, 7, 6, 2,
  FRC, 7, 7, 7,
  SUB, 8, 3, 7,
  MUL, 8, 8, 7,
  MUL, 9, 0, 4,
  FRC, 9, 9, 9,
  SLT, 10, 9, 5,
  MAX, 11, 10, 8,
  MIN, 11, 11, 3,
  MAD, 15, 11, 7,
}

local function pixel(code, reg)
  reg[15] = 0.0
  for pc = 1, #code, 4 do
    local op, to, a, b = code[pc], code[pc + 1], code[pc + 2], code[pc + 3]
    if op == MUL then
      reg[to] = reg[a] * reg[b]
    elseif op == MAD then
      reg[to] = reg[to] + reg[a] * reg[b]
    elseif op == FRC then
      reg[to] = reg[a] - floor(reg[a])
    elseif op == ADD then
      reg[to] = reg[a] + reg[b]
    elseif op == SUB then
      reg[to] = reg[a] - reg[b]
    elseif op == SLT then
      if reg[a] < reg[b] then reg[to] = 1.0 else reg[to] = 0.0 end
    elseif op == MAX then
      if reg[a] > reg[b] then reg[to] = reg[a] else reg[to] = reg[b] end
    elseif op == MIN then
      if reg[a] < reg[b] then reg[to] = reg[a] else reg[to] = reg[b] end
    elseif op == MOV then
      reg[to] = reg[a]
    end
  end
  return reg[15]
end

local function bench(n)
  local reg = {}
  for i = 0, 15 do reg[i] = 0.0 end
  reg[3] = 1.0
  reg[4] = 6.0
  reg[5] = 0.125
  local sum = 0.0
  for r = 0, n - 1 do
    reg[2] = r / 64
    for y = 0, SIDE - 1 do
      reg[1] = y / 64
      for x = 0, SIDE - 1 do
        reg[0] = x / 64
        sum = sum + pixel(code, reg)
      end
    end
  end
  return floor(sum * 1000)
end

print(string.format("%d", bench(tonumber(arg[1] or 1000))))
