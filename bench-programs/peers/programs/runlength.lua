local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local WIDTH, SIZE = 256, 65536

local function paint(image)
  for i = 0, 39 do
    local wide = 32 + rnd(160)
    local high = 16 + rnd(100)
    local x = rnd(WIDTH - wide)
    local y = rnd(WIDTH - high)
    local colour = rnd(256)
    local gap = i % 2 == 0 and 3 + rnd(4) or 1
    for row = y, y + high - 1 do
      for column = x, x + wide - 1, gap do image[row * WIDTH + column] = colour end
    end
  end
  for _ = 1, 12 do
    local row = rnd(WIDTH)
    for column = 0, WIDTH - 1 do image[row * WIDTH + column] = rnd(256) end
  end
end

local function flush(image, start, count, out, size)
  if count == 0 then return size end
  out[size] = count - 1
  for i = 0, count - 1 do out[size + 1 + i] = image[start + i] end
  return size + 1 + count
end

local function encode(image, out)
  local size, run, literals = 0, 1, 0
  for i = 1, SIZE do
    if i < SIZE and image[i] == image[i - 1] and run < 130 then
      run = run + 1
    else
      if run > 2 then
        size = flush(image, i - run - literals, literals, out, size)
        literals = 0
        out[size] = run + 125
        out[size + 1] = image[i - 1]
        size = size + 2
      else
        literals = literals + run
        if literals > 126 then
          size = flush(image, i - literals, literals, out, size)
          literals = 0
        end
      end
      run = 1
    end
  end
  return flush(image, SIZE - literals, literals, out, size)
end

local function decode(coded, image, start)
  local hash, at, left, literal, value, last, edges, column = start, 0, 0, false, 0, 0, 0, 0
  for i = 0, SIZE - 1 do
    if left == 0 then
      local c = coded[at]
      at = at + 1
      literal = c < 128
      if literal then
        left = c + 1
      else
        left = c - 125
        value = coded[at]
        at = at + 1
      end
    end
    left = left - 1
    if literal then
      value = coded[at]
      at = at + 1
    end
    image[i] = value
    if value ~= last then
      edges = edges + 1
      last = value
    end
    column = column + 1
    if column == WIDTH then
      hash = (hash * 31 + edges * 256 + value) % 16777216
      column = 0
    end
  end
  return hash
end

local function bench(n)
  local image, copied, coded, sum = {}, {}, {}, 0
  for i = 0, SIZE - 1 do image[i], copied[i] = 0, 0 end
  for i = 0, 2 * SIZE - 1 do coded[i] = 0 end
  paint(image)
  for r = 0, n - 1 do
    image[r % 256] = r % 16
    local size = encode(image, coded)
    sum = decode(coded, copied, (sum + size) % 16777216)
    sum = (sum + copied[r * 977 % SIZE]) % 16777216
  end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 3500))))
