local bit = bit or dofile((arg[0]:match("^(.*/)") or "") .. "../lib/bit54.lua")
local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local band, bor, bxor, lshift, rshift = bit.band, bit.bor, bit.bxor, bit.lshift, bit.rshift
local WIDTH, HEIGHT, START, TICK = 64, 32, 0x200, 10
local rom = {
  0x6A08, 0x6B04, 0x6C01, 0x6D01, 0x6E00, 0xA270, 0xDAB3,
  0x221A, 0x2228, 0x223A, 0x2256, 0x2262, 0x120E,
  0xA270, 0xDAB3, 0x8AC4, 0x8BD4, 0xDAB3, 0x8EF4, 0x00EE,
  0x4A38, 0x6CFF, 0x4A00, 0x6C01, 0x4B1D, 0x6DFF, 0x4B00, 0x6D01, 0x00EE,
  0x80E0, 0xA300, 0xF033, 0xF265, 0x8014, 0x8024, 0x6100,
  0x620D, 0x8104, 0x72FF, 0x3200, 0x124A, 0x8913, 0x00EE,
  0x6004, 0xF015, 0xF007, 0x3000, 0x125A, 0x00EE,
  0xC03F, 0xC11F, 0xA273, 0xD011, 0x00EE, 0x0000, 0x0000,
  0x60F0, 0x6080,
}

local function zeros(size)
  local t = {}
  for i = 0, size - 1 do t[i] = 0 end
  return t
end

local function boot()
  local m = {
    mem = zeros(4096), v = zeros(16), screen = zeros(WIDTH * HEIGHT), stack = zeros(16),
    pc = START, i = 0, sp = 0, delay = 0, beeps = 0,
  }
  for i = 1, #rom do
    m.mem[START + 2 * i - 2] = rshift(rom[i], 8)
    m.mem[START + 2 * i - 1] = rom[i] % 256
  end
  return m
end

local function draw(m, x, y, rows)
  local hit = 0
  for r = 0, rows - 1 do
    local bits = m.mem[m.i + r]
    for c = 0, 7 do
      if band(rshift(bits, 7 - c), 1) == 1 then
        local at = (y + r) % HEIGHT * WIDTH + (x + c) % WIDTH
        hit = bor(hit, m.screen[at])
        m.screen[at] = bxor(m.screen[at], 1)
      end
    end
  end
  m.v[15] = hit
end

local function arithmetic(v, x, y, op)
  if op == 0 then v[x] = v[y]
  elseif op == 1 then v[x] = bor(v[x], v[y])
  elseif op == 2 then v[x] = band(v[x], v[y])
  elseif op == 3 then v[x] = bxor(v[x], v[y])
  elseif op == 4 then
    local sum = v[x] + v[y]
    v[x] = sum % 256
    v[15] = rshift(sum, 8)
  elseif op == 5 then
    local difference = v[x] - v[y]
    v[x] = difference % 256
    v[15] = difference >= 0 and 1 or 0
  else
    error("no such operation")
  end
end

local function run(m, count)
  local mem, v = m.mem, m.v
  for cycle = 0, count - 1 do
    local op = bor(lshift(mem[m.pc], 8), mem[m.pc + 1])
    local x, y, nn = band(rshift(op, 8), 15), band(rshift(op, 4), 15), band(op, 255)
    local kind = rshift(op, 12)
    m.pc = m.pc + 2
    if kind == 0x0 then
      if op == 0x00E0 then
        for i = 0, WIDTH * HEIGHT - 1 do m.screen[i] = 0 end
      elseif op == 0x00EE then
        m.sp = m.sp - 1
        m.pc = m.stack[m.sp]
      end
    elseif kind == 0x1 then
      m.pc = band(op, 0xFFF)
    elseif kind == 0x2 then
      m.stack[m.sp] = m.pc
      m.sp = m.sp + 1
      m.pc = band(op, 0xFFF)
    elseif kind == 0x3 then
      if v[x] == nn then m.pc = m.pc + 2 end
    elseif kind == 0x4 then
      if v[x] ~= nn then m.pc = m.pc + 2 end
    elseif kind == 0x6 then
      v[x] = nn
    elseif kind == 0x7 then
      v[x] = (v[x] + nn) % 256
    elseif kind == 0x8 then
      arithmetic(v, x, y, band(op, 15))
    elseif kind == 0xA then
      m.i = band(op, 0xFFF)
    elseif kind == 0xC then
      v[x] = band(rnd(256), nn)
    elseif kind == 0xD then
      draw(m, v[x], v[y], band(op, 15))
    elseif kind == 0xF then
      if nn == 0x07 then v[x] = m.delay
      elseif nn == 0x15 then m.delay = v[x]
      elseif nn == 0x18 then m.beeps = m.beeps + v[x]
      elseif nn == 0x1E then m.i = (m.i + v[x]) % 4096
      elseif nn == 0x33 then
        mem[m.i] = floor(v[x] / 100)
        mem[m.i + 1] = floor(v[x] / 10) % 10
        mem[m.i + 2] = v[x] % 10
      elseif nn == 0x55 then
        for k = 0, x do mem[m.i + k] = v[k] end
      elseif nn == 0x65 then
        for k = 0, x do v[k] = mem[m.i + k] end
      else
        error("no such operation")
      end
    else
      error("no such operation")
    end
    if cycle % TICK == 0 and m.delay > 0 then m.delay = m.delay - 1 end
  end
end

local function bench(n)
  local m, sum = boot(), 0
  for _ = 1, n do
    run(m, 1000)
    sum = (sum * 31 + m.v[9] + m.pc) % 16777216
  end
  for i = 0, WIDTH * HEIGHT - 1 do sum = sum + m.screen[i] * i end
  for i = 0, 15 do sum = sum + lshift(m.v[i], i) end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 150000))))
