local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local ROWS, COLUMNS = 4096, 4
local REWIND, COLUMN, INTEGER, LT, GE, NE, SUM, COUNT, NEXT, RESULT = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
local statement = {
  INTEGER, 0, 0, 0,
  INTEGER, 0, 1, 0,
  INTEGER, 8, 2, 0,
  INTEGER, 2, 3, 0,
  INTEGER, 900, 4, 0,
  REWIND, 15, 0, 0,
  COLUMN, 2, 5, 0,
  NE, 5, 3, 14,
  COLUMN, 1, 6, 0,
  LT, 6, 2, 14,
  COLUMN, 0, 7, 0,
  GE, 7, 4, 14,
  COUNT, 0, 0, 0,
  SUM, 1, 7, 6,
  NEXT, 6, 0, 0,
  RESULT, 0, 1, 0,
}

local function run(code, rows, size, reg)
  local pc, row = 1, 0
  while true do
    local op, a, b, c = code[pc], code[pc + 1], code[pc + 2], code[pc + 3]
    if op == COLUMN then
      reg[b] = rows[row + a]
    elseif op == NE then
      if reg[a] ~= reg[b] then pc = c * 4 - 3 end
    elseif op == NEXT then
      row = row + COLUMNS
      if row < size then pc = a * 4 - 3 end
    elseif op == LT then
      if reg[a] < reg[b] then pc = c * 4 - 3 end
    elseif op == GE then
      if reg[a] >= reg[b] then pc = c * 4 - 3 end
    elseif op == COUNT then
      reg[a] = reg[a] + 1
    elseif op == SUM then
      reg[a] = (reg[a] + floor(reg[b] * reg[c] / 16)) % 4294967296
    elseif op == INTEGER then
      reg[b] = a
    elseif op == REWIND then
      row = 0
      if size == 0 then pc = a * 4 - 3 end
    else
      return reg[a] * 7 + reg[b]
    end
    pc = pc + 4
  end
end

local function bench(n)
  local rows, reg = {}, {}
  for i = 0, ROWS - 1 do
    rows[i * COLUMNS] = floor(i % 1024 * 1000 / 1024) + rnd(8)
    rows[i * COLUMNS + 1] = 6 + rnd(60)
    rows[i * COLUMNS + 2] = floor(i / 1024)
    rows[i * COLUMNS + 3] = rnd(100)
  end
  for i = 0, 7 do reg[i] = 0 end
  local sum = 0
  for _ = 1, n do
    local at = rnd(ROWS) * COLUMNS + 1
    rows[at] = 6 + rnd(60)
    sum = (sum + run(statement, rows, ROWS * COLUMNS, reg)) % 4294967296
  end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 12000))))
