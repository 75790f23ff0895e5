local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local abs, max, min = math.abs, math.max, math.min
local WIDTH, HEIGHT = 160, 120
local BLUR, SHARPEN, MEDIAN, EDGES, THRESHOLD = 0, 1, 2, 3, 4
local BLACK, NEAREST, WRAP = 0, 1, 2
local blurring = { [0] = 1, 2, 1, 2, 4, 2, 1, 2, 1 }
local sharpening = { [0] = 0, -1, 0, -1, 8, -1, 0, -1, 0 }

local function paint(mode, border)
  local pixels = {}
  for i = 0, WIDTH * HEIGHT - 1 do pixels[i] = i % WIDTH + rnd(20) end
  for _ = 1, 30 do
    local x, y, shade = rnd(WIDTH - 30), rnd(HEIGHT - 20), rnd(256)
    for dy = 0, 19 do
      for dx = 0, 29 do pixels[(y + dy) * WIDTH + x + dx] = (shade + dx) % 256 end
    end
  end
  return { pixels = pixels, mode = mode, border = border }
end

local function pixel(image, x, y)
  if x >= 0 and x < WIDTH and y >= 0 and y < HEIGHT then return image.pixels[y * WIDTH + x] end
  if image.border == NEAREST then
    return image.pixels[min(max(y, 0), HEIGHT - 1) * WIDTH + min(max(x, 0), WIDTH - 1)]
  elseif image.border == WRAP then
    return image.pixels[(y + HEIGHT) % HEIGHT * WIDTH + (x + WIDTH) % WIDTH]
  end
  return 0
end

local function convolve(near, weight)
  local sum = 0
  for i = 0, 8 do sum = sum + near[i] * weight[i] end
  return sum
end

local function median(near)
  for i = 1, 8 do
    local v, k = near[i], i
    while k > 0 and near[k - 1] > v do
      near[k] = near[k - 1]
      k = k - 1
    end
    near[k] = v
  end
  return near[4]
end

local function filter(image, out, near)
  local mode = image.mode
  for y = 0, HEIGHT - 1 do
    for x = 0, WIDTH - 1 do
      for i = 0, 8 do near[i] = pixel(image, x + i % 3 - 1, y + floor(i / 3) - 1) end
      local v
      if mode == BLUR then
        v = floor(convolve(near, blurring) / 16)
      elseif mode == SHARPEN then
        v = min(max(floor(convolve(near, sharpening) / 4), 0), 255)
      elseif mode == MEDIAN then
        v = median(near)
      elseif mode == EDGES then
        local gx = near[2] + 2 * near[5] + near[8] - near[0] - 2 * near[3] - near[6]
        local gy = near[6] + 2 * near[7] + near[8] - near[0] - 2 * near[1] - near[2]
        v = min(abs(gx) + abs(gy), 255)
      else
        v = near[4] * 16 > convolve(near, blurring) and 255 or 0
      end
      out[y * WIDTH + x] = v
    end
  end
end

local function bench(n)
  local album = {
    paint(BLUR, NEAREST), paint(MEDIAN, NEAREST), paint(EDGES, BLACK), paint(MEDIAN, WRAP),
    paint(SHARPEN, NEAREST), paint(THRESHOLD, BLACK), paint(BLUR, WRAP),
  }
  local out, near, size, sum = {}, {}, WIDTH * HEIGHT, 0
  for r = 0, n - 1 do
    for k = 1, #album do
      filter(album[k], out, near)
      for i = 0, size - 1, 7 do sum = sum + out[i] * (i % 16) end
      album[k].pixels[r * 131 % size] = r % 256
    end
  end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 90))))
