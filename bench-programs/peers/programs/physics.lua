local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local abs, sqrt = math.abs, math.sqrt
local COUNT, DT, GRAVITY, BALL, NEAR = 1200, 0.002, -9.81, 0.08, 0.002
local GAS, SAND, DROP, SPARK = 0, 1, 2, 3
local bounce = { [0] = 0.9, 0.2, 0.5, 0.7 }

local function uniform(low, high) return low + (high - low) * rnd(10000) / 10000 end

local function fill_box()
  local p = { x = {}, y = {}, vx = {}, vy = {}, age = {}, material = {} }
  for i = 0, COUNT - 1 do
    p.x[i] = uniform(0, 1)
    p.y[i] = uniform(0, 1)
    p.vx[i] = uniform(-1, 1)
    p.vy[i] = uniform(-1, 1)
    p.age[i] = rnd(500)
    p.material[i] = floor(i * 4 / COUNT)
  end
  return p
end

local function hit_ball(p, i, ball, distance)
  local nx, ny = (p.x[i] - ball.x) / distance, (p.y[i] - ball.y) / distance
  local towards = p.vx[i] * nx + p.vy[i] * ny
  p.x[i] = ball.x + nx * BALL
  p.y[i] = ball.y + ny * BALL
  if towards < 0 then
    p.vx[i] = p.vx[i] - (1 + bounce[p.material[i]]) * towards * nx
    p.vy[i] = p.vy[i] - (1 + bounce[p.material[i]]) * towards * ny
  end
end

local function hit_walls(p, i)
  local kept = bounce[p.material[i]]
  if p.x[i] < 0 or p.x[i] > 1 then
    p.x[i] = p.x[i] < 0 and 0 or 1
    p.vx[i] = p.vx[i] * -kept
  end
  if p.y[i] < 0 or p.y[i] > 1 then
    p.y[i] = p.y[i] < 0 and 0 or 1
    p.vy[i] = p.vy[i] * -kept
  end
end

local function step(p, ball)
  local x, y, vx, vy, hits = p.x, p.y, p.vx, p.vy, 0
  for i = 0, COUNT - 1 do
    local ax, ay, material = 0, GRAVITY, p.material[i]
    if material == GAS then
      ax = 0.5 - x[i] - 0.1 * vx[i]
      ay = 0.4 - y[i] - 0.1 * vy[i]
    elseif material == SAND then
      ax = 0.2 * ball.cosine
      if y[i] < 0.01 then ax = ax - 4 * vx[i] end
    elseif material == DROP then
      local speed = sqrt(vx[i] * vx[i] + vy[i] * vy[i])
      ax = -0.4 * speed * vx[i]
      ay = ay - 0.4 * speed * vy[i]
      if y[i] <= 0 then
        y[i] = 1
        vy[i] = 0
      end
    elseif material == SPARK then
      ay = ay * 0.3
      p.age[i] = p.age[i] + 1
      if p.age[i] > 500 then
        p.age[i] = i % 37
        x[i] = ball.x
        y[i] = ball.y + BALL
        vx[i] = 0.01 * (i % 64) - 0.32
        vy[i] = 2.5
      end
    end
    vx[i] = vx[i] + ax * DT
    vy[i] = vy[i] + ay * DT
    x[i] = x[i] + vx[i] * DT
    y[i] = y[i] + vy[i] * DT
    if x[i] < 0 or x[i] > 1 or y[i] < 0 or y[i] > 1 then hit_walls(p, i) end
    local dx, dy = x[i] - ball.x, y[i] - ball.y
    local far = dx * dx + dy * dy
    if far < BALL * BALL and far > 0 then
      hit_ball(p, i, ball, sqrt(far))
      hits = hits + 1
    end
    if i > 0 and abs(x[i] - x[i - 1]) < NEAR and abs(y[i] - y[i - 1]) < NEAR then
      vx[i], vx[i - 1] = vx[i - 1], vx[i]
      hits = hits + 1
    end
  end
  return hits
end

local function bench(n)
  local p, ball, hits = fill_box(), { x = 0, y = 0, cosine = 1, sine = 0 }, 0
  for _ = 1, n do
    local cosine = 0.9999875 * ball.cosine - 0.005 * ball.sine
    ball.sine = 0.005 * ball.cosine + 0.9999875 * ball.sine
    ball.cosine = cosine
    ball.x = 0.5 + 0.3 * cosine
    ball.y = 0.5 + 0.3 * ball.sine
    hits = hits + step(p, ball)
  end
  local sum = 0
  for i = 0, COUNT - 1 do sum = sum + (p.x[i] + 2 * p.y[i] + 0.1 * p.vx[i] + 0.2 * p.vy[i]) end
  return floor(sum * 1e6) + hits
end

print(string.format("%d", bench(tonumber(arg[1] or 50000))))
