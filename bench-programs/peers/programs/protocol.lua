local bit = bit or dofile((arg[0]:match("^(.*/)") or "") .. "../lib/bit54.lua")
local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local band, bor, bxor, lshift, rshift, min = bit.band, bit.bor, bit.bxor, bit.lshift, bit.rshift, math.min
local SIZE, CHUNK, FLAG, ESCAPE = 65536, 1500, 0x7E, 0x7D
local PING, TEXT, BLOCK, STATUS = 1, 2, 3, 4
local HUNT, KIND, LENGTH, BODY, CHECK_LOW, CHECK_HIGH = 0, 1, 2, 3, 4, 5
local crc = {}

local function put(l, c)
  l.data[l.size] = c
  l.size = l.size + 1
end

local function send(l, c)
  l.check = bxor(rshift(l.check, 8), crc[band(bxor(l.check, c), 255)])
  if c == FLAG or c == ESCAPE then
    put(l, ESCAPE)
    put(l, bxor(c, 32))
  else
    put(l, c)
  end
end

local function send_message(l, kind, length)
  put(l, FLAG)
  l.check = 0xFFFF
  send(l, kind)
  send(l, length)
  for _ = 1, length do
    if kind == TEXT then send(l, 97 + rnd(26))
    elseif rnd(8) == 0 then send(l, FLAG)
    else send(l, rnd(256))
    end
  end
  local check = l.check
  send(l, band(check, 255))
  send(l, rshift(check, 8))
  if rnd(50) == 0 then l.data[l.size - 3] = bxor(l.data[l.size - 3], 4) end
end

local function traffic(phase)
  local l, i = { data = {}, size = 0, check = 0 }, 0
  while l.size < SIZE do
    local kind = phase
    if phase == 3 then kind = rnd(4) end
    if kind == 0 then send_message(l, PING, 0)
    elseif kind == 1 then send_message(l, TEXT, 20 + rnd(60))
    elseif kind == 2 and i % 5 ~= 4 then send_message(l, BLOCK, 128)
    else send_message(l, STATUS, 4)
    end
    i = i + 1
  end
  return l
end

local function deliver(r)
  local kind, body = r.kind, r.body
  if kind == PING then
    r.pings = r.pings + 1
  elseif kind == TEXT then
    for i = 0, r.filled - 1 do r.text = (r.text * 31 + body[i]) % 16777216 end
  elseif kind == BLOCK then
    for i = 0, r.filled - 1 do r.blocks = r.blocks + body[i] end
  elseif kind == STATUS then
    r.status = bxor(r.status, bor(bor(body[0], lshift(body[1], 8)), lshift(body[2], 16)))
  else
    r.errors = r.errors + 1
  end
end

local function receive(r, data, start, stop)
  for i = start, stop - 1 do
    local c = data[i]
    if c == FLAG then
      if r.state ~= HUNT then r.errors = r.errors + 1 end
      r.state = KIND
      r.escaped = false
      r.check = 0xFFFF
    elseif r.state ~= HUNT then
      if c == ESCAPE then
        r.escaped = true
      else
        if r.escaped then
          c = bxor(c, 32)
          r.escaped = false
        end
        local state = r.state
        if state < CHECK_LOW then r.check = bxor(rshift(r.check, 8), crc[band(bxor(r.check, c), 255)]) end
        if state == KIND then
          r.kind = c
          r.state = LENGTH
        elseif state == LENGTH then
          r.left = c
          r.filled = 0
          r.state = c > 0 and BODY or CHECK_LOW
        elseif state == BODY then
          r.body[r.filled] = c
          r.filled = r.filled + 1
          if r.filled == r.left then r.state = CHECK_LOW end
        elseif state == CHECK_LOW then
          r.check = bxor(r.check, c)
          r.state = CHECK_HIGH
        else
          if r.check == lshift(c, 8) then deliver(r) else r.errors = r.errors + 1 end
          r.state = HUNT
        end
      end
    end
  end
end

local function bench(n)
  for i = 0, 255 do
    local c = i
    for _ = 1, 8 do
      if band(c, 1) == 1 then c = bxor(rshift(c, 1), 0x8408) else c = rshift(c, 1) end
    end
    crc[i] = c
  end
  local r = {
    state = HUNT, escaped = false, kind = 0, left = 0, check = 0, body = {}, filled = 0,
    pings = 0, text = 0, blocks = 0, status = 0, errors = 0,
  }
  for i = 0, 255 do r.body[i] = 0 end
  for _, phase in ipairs({ 0, 2, 1, 3, 2, 0 }) do
    local l = traffic(phase)
    for _ = 1, n do
      for i = 0, l.size - 1, CHUNK do receive(r, l.data, i, min(i + CHUNK, l.size)) end
    end
  end
  return r.pings + r.text * 3 + r.blocks * 5 + r.status * 7 + r.errors * 11
end

print(string.format("%d", bench(tonumber(arg[1] or 400))))
