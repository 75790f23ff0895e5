local floor, abs = math.floor, math.abs
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local DAY, FLOORS, CARS, ROOM, RIDE, OPEN = 8000, 16, 4, 8, 12, 40
local IDLE, UP, DOWN, DOORS = 0, 1, 2, 3
local gaps = {[0] = 30, 80, 30, 600}

local function row(v)
  local t = {}
  for i = 0, FLOORS - 1 do t[i] = v end
  return t
end

local function claim(h, f)
  if not h.claimed[f] then
    h.claimed[f] = true
    if h.waiting[f] > 0 then h.calls = h.calls - 1 end
  end
end

local function release(h, f)
  if h.claimed[f] then
    h.claimed[f] = false
    if h.waiting[f] > 0 then h.calls = h.calls + 1 end
  end
end

local function come(h, phase)
  local f = phase == 0 and 0 or rnd(FLOORS)
  if h.waiting[f] == 0 and not h.claimed[f] then h.calls = h.calls + 1 end
  h.waiting[f] = h.waiting[f] + 1
end

local function open(h, car)
  if car.goal >= 0 then release(h, car.goal) end
  car.goal = -1
  claim(h, car.floor)
  car.state = DOORS
  car.timer = OPEN
end

local function start(car, state)
  car.state = state
  car.timer = RIDE
end

local function answer(h, car)
  local best = -1
  for f = 0, FLOORS - 1 do
    if h.waiting[f] > 0 and not h.claimed[f] then
      if best < 0 or abs(f - car.floor) < abs(best - car.floor) then best = f end
    end
  end
  if best == car.floor then
    open(h, car)
  else
    claim(h, best)
    car.goal = best
    start(car, best > car.floor and UP or DOWN)
  end
end

local function pass(h, car)
  local f = car.floor
  if car.stops[f] > 0 or f == car.goal or (h.waiting[f] > 0 and car.load < ROOM) then
    open(h, car)
  else
    car.timer = RIDE
  end
end

local function exchange(h, car, phase)
  local f = car.floor
  claim(h, f)
  car.load = car.load - car.stops[f]
  h.hash = (h.hash * 31 + car.stops[f] * FLOORS + f) % 16777216
  car.stops[f] = 0
  while h.waiting[f] > 0 and car.load < ROOM do
    local to = 0
    if phase ~= 2 or f == 0 then
      to = rnd(FLOORS - 1)
      if to >= f then to = to + 1 end
    end
    h.waiting[f] = h.waiting[f] - 1
    car.stops[to] = car.stops[to] + 1
    car.load = car.load + 1
  end
  release(h, f)
end

local function leave(car)
  for f = car.floor + 1, FLOORS - 1 do
    if car.stops[f] > 0 then
      start(car, UP)
      return
    end
  end
  if car.load > 0 then start(car, DOWN) else car.state = IDLE end
end

local function simulate(h, cars, ticks)
  local phase, gap = 0, 0
  for t = 0, ticks - 1 do
    if gap == 0 then
      phase = floor(t % DAY / (DAY / 4))
      come(h, phase)
      gap = gaps[phase] + rnd(gaps[phase])
    end
    gap = gap - 1
    for i = 1, CARS do
      local car = cars[i]
      local state = car.state
      if state == IDLE then
        if h.calls > 0 then answer(h, car) end
      elseif state == UP then
        car.timer = car.timer - 1
        if car.timer == 0 then
          car.floor = car.floor + 1
          pass(h, car)
        end
      elseif state == DOWN then
        car.timer = car.timer - 1
        if car.timer == 0 then
          car.floor = car.floor - 1
          pass(h, car)
        end
      else
        car.timer = car.timer - 1
        if car.timer == 0 then
          exchange(h, car, phase)
          leave(car)
        end
      end
    end
  end
end

local function bench(n)
  local h, cars = {waiting = row(0), claimed = row(false), calls = 0, hash = 0}, {}
  for i = 1, CARS do cars[i] = {state = IDLE, timer = 0, floor = 0, goal = -1, load = 0, stops = row(0)} end
  simulate(h, cars, n * DAY)
  return h.hash
end

print(string.format("%d", bench(tonumber(arg[1] or 6000))))
