local bit = bit or dofile((arg[0]:match("^(.*/)") or "") .. "../lib/bit54.lua")
local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local band = bit.band
local PACKETS, LENGTH = 1024, 64
local LDB, LDH, LDW, LDX, LDHX, JEQ, JGT, JSET, AND, RET = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
local filter = {
  LDH, 12, 0, 0,
  JEQ, 0x800, 0, 12,
  LDB, 23, 0, 0,
  JEQ, 6, 0, 10,
  LDW, 26, 0, 0,
  AND, 0xFFFF0000, 0, 0,
  JEQ, 0x0A010000, 0, 7,
  LDH, 20, 0, 0,
  JSET, 0x1FFF, 5, 0,
  LDX, 14, 0, 0,
  LDHX, 16, 0, 0,
  JEQ, 443, 1, 0,
  JGT, 8000, 0, 1,
  RET, 96, 0, 0,
  RET, 0, 0, 0,
}

local function run(code, data, base)
  local pc, a, x = 1, 0, 0
  while true do
    local op, k = code[pc], code[pc + 1]
    if op == JEQ then
      if a == k then pc = pc + code[pc + 2] * 4 else pc = pc + code[pc + 3] * 4 end
    elseif op == LDH then
      a = data[base + k] * 256 + data[base + k + 1]
    elseif op == LDB then
      a = data[base + k]
    elseif op == LDW then
      a = data[base + k] * 16777216 + data[base + k + 1] * 65536 + data[base + k + 2] * 256 + data[base + k + 3]
    elseif op == AND then
      a = band(a, k) % 4294967296
    elseif op == JSET then
      if band(a, k) ~= 0 then pc = pc + code[pc + 2] * 4 else pc = pc + code[pc + 3] * 4 end
    elseif op == LDX then
      x = band(data[base + k], 15) * 4
    elseif op == LDHX then
      a = data[base + x + k] * 256 + data[base + x + k + 1]
    elseif op == JGT then
      if a > k then pc = pc + code[pc + 2] * 4 else pc = pc + code[pc + 3] * 4 end
    else
      return k
    end
    pc = pc + 4
  end
end

local function generate()
  local data, left, kind = {}, 0, 0
  for i = 0, PACKETS - 1 do
    if left == 0 then
      left = 4 + rnd(60)
      kind = rnd(12)
    end
    left = left - 1
    local at = i * LENGTH
    for b = 0, LENGTH - 1 do data[at + b] = rnd(256) end
    data[at + 12] = 8
    data[at + 13] = kind == 0 and 6 or 0
    data[at + 14] = 0x45
    data[at + 20] = 0x40
    data[at + 21] = 0
    data[at + 23] = kind == 1 and 17 or 6
    data[at + 26] = 10
    data[at + 27] = kind == 2 and 2 or 1
    data[at + 36] = 1
    data[at + 37] = 187
  end
  return data
end

local function bench(n)
  local data, sum = generate(), 0
  for _ = 1, n do
    local at = rnd(PACKETS) * LENGTH + 37
    data[at] = rnd(20) == 0 and 80 or 187
    for i = 0, PACKETS - 1 do sum = sum + run(filter, data, i * LENGTH) end
    sum = sum % 4294967296
  end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 24000))))
