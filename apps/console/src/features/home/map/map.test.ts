import type { HomeCluster } from '@ithings/contract/features/home.ts'
import { expect, test } from 'vitest'
import { type Degrees, project, unproject } from './albers.ts'
import { clusterName, clusterWords } from './cluster-words.ts'
import { donutPicture, donutSize } from './donut-picture.ts'
import * as mercator from './mercator.ts'
import { filtered, named, radiusOf, spotsOf } from './place-clusters.ts'
import { planes } from './planes.ts'
import {
  askedBox,
  boxFromOutlines,
  boxOf,
  canZoomIn,
  centredOn,
  onOutlines,
  panned,
  screenOf,
  type View,
  wholeOf,
  zoomed,
  zoomOf,
} from './view.ts'

const size = { width: 900, height: 560 }
const cities: Record<string, Degrees> = {
  beijing: [116.4, 39.9],
  urumqi: [87.6, 43.8],
  haikou: [110.3, 20],
  harbin: [126.5, 45.8],
}

test('a place comes back from the flat map as it went there, south of the equator too', () => {
  for (const place of [...Object.values(cities), [151.2, -33.9], [-170, 60]] as Degrees[]) {
    const [longitude, latitude] = unproject(project(place))
    expect(longitude).toBeCloseTo(place[0], 6)
    expect(latitude).toBeCloseTo(place[1], 6)
  }
})

test('so it does on the map of the world, which ends before the poles', () => {
  for (const place of [...Object.values(cities), [151.2, -33.9], [-170, 60], [180, 85]] as Degrees[]) {
    const [longitude, latitude] = mercator.unproject(mercator.project(place))
    expect(longitude).toBeCloseTo(place[0], 6)
    expect(latitude).toBeCloseTo(place[1], 6)
  }
  expect(mercator.unproject(mercator.project([0, -90]))[1]).toBeCloseTo(-85, 6)
  expect(mercator.unproject([9, -9])).toEqual([180, 85])
})

test.each([size, { width: 358, height: 320 }])(
  'the first view of the world holds all continents, $width wide',
  (room) => {
    const view = wholeOf(planes.world, room)
    for (const place of [
      [-122.3, 47.6],
      [174.8, -36.9],
      [-70.7, -33.5],
      [139.7, 35.7],
      [18.1, 59.3],
    ] as Degrees[]) {
      const [x, y] = screenOf(view, room, view.plane.project(place))
      expect(x > 0 && x < room.width && y > 0 && y < room.height).toBe(true)
    }
    const [west, , east] = boxOf(view, room)
    expect(west).toBeLessThan(-168)
    expect(east).toBe(180)
  },
)

test('BD09 positions stand on the outlines where they are, and the box that is asked for holds them', () => {
  // The Tiananmen tower, GCJ02 and BD09 (computed with gcoord 1.0.7).
  const [longitude, latitude] = onOutlines({ longitude: 116.40349519827029, latitude: 39.922867311092325 })
  expect(longitude).toBeCloseTo(116.397128, 9)
  expect(latitude).toBeCloseTo(39.916527, 9)
  const box = boxFromOutlines([116.397, 39.916, 116.398, 39.917])
  expect(box[0]).toBeLessThan(116.40349519827029)
  expect(box[2]).toBeGreaterThan(116.40349519827029)
  expect(box[1]).toBeLessThan(39.922867311092325)
  expect(box[3]).toBeGreaterThan(39.922867311092325)
  expect(boxFromOutlines([-180, -90, 180, 90])).toEqual([-180, -90, 180, 90])
})

test('equal areas: a degree square far north is smaller than one in the south', () => {
  const area = (latitude: number) => {
    const [ax, ay] = project([110, latitude])
    const [bx] = project([111, latitude])
    const [, cy] = project([110, latitude + 1])
    return Math.abs((bx - ax) * (cy - ay))
  }
  const expected = Math.cos(50.5 * (Math.PI / 180)) / Math.cos(20.5 * (Math.PI / 180))
  expect(area(50) / area(20)).toBeCloseTo(expected, 1)
})

test('the first view holds the whole country', () => {
  const view = wholeOf(planes.china, size)
  for (const place of Object.values(cities)) {
    const [x, y] = screenOf(view, size, project(place))
    expect(x).toBeGreaterThan(0)
    expect(x).toBeLessThan(size.width)
    expect(y).toBeGreaterThan(0)
    expect(y).toBeLessThan(size.height)
  }
})

test('zooming keeps the place under the pointer, panning moves with it', () => {
  const view = wholeOf(planes.china, size)
  const at = screenOf(view, size, project([116.4, 39.9]))
  const near = screenOf(zoomed(view, size, 3, at), size, project([116.4, 39.9]))
  expect(near[0]).toBeCloseTo(at[0], 3)
  expect(near[1]).toBeCloseTo(at[1], 3)
  let deep = view
  while (canZoomIn(deep)) deep = zoomed(deep, size, 2)
  expect(zoomed(deep, size, 2).k).toBe(zoomed(deep, size, 4).k)
  const moved = screenOf(panned(view, 30, -12), size, project([116.4, 39.9]))
  expect(moved[0] - at[0]).toBeCloseTo(30, 6)
  expect(moved[1] - at[1]).toBeCloseTo(-12, 6)
})

test('what is asked for holds everything on the screen and stays inside the world', () => {
  const view = wholeOf(planes.china, size)
  const [west, south, east, north] = boxOf(view, size)
  for (const [longitude, latitude] of Object.values(cities)) {
    expect(longitude > west && longitude < east && latitude > south && latitude < north).toBe(true)
  }
  const far: View = { ...view, k: 90 }
  const [w, s, e, n] = askedBox(boxOf(far, size), zoomOf(far, size))
  expect(w).toBeGreaterThanOrEqual(-180)
  expect(s).toBeGreaterThanOrEqual(-90)
  expect(e).toBeLessThanOrEqual(180)
  expect(n).toBeLessThanOrEqual(90)
  expect(s).toBeLessThan(n)
})

test('a small move asks for the same part again, a zoom for a finer one', () => {
  const view = centredOn(wholeOf(planes.china, size), [112, 33], 1)
  const asked = (one: View) => askedBox(boxOf(one, size), zoomOf(one, size))
  const cell = 180 / 2 ** zoomOf(view, size)
  for (const edge of asked(view)) expect(Math.abs(edge / cell - Math.round(edge / cell))).toBeLessThan(1e-9)
  expect(zoomOf(zoomed(view, size, 2), size)).toBe(zoomOf(view, size) + 1)
})

const cluster = (name: string, online: number, offline = 0, inactive = 0, level = 0): HomeCluster => ({
  longitude: 0,
  latitude: 0,
  total: online + offline + inactive,
  online,
  offline,
  inactive,
  level,
  places: [{ name, online, offline, inactive }],
  productID: '',
  deviceName: '',
  deviceAlias: '',
})

const cityOf = ({ places }: HomeCluster) => places[0]?.name ?? ''
const room = { width: 500, height: 400 }

test('joined clusters are named by the city with most devices in all of them', () => {
  const mixed = (...places: HomeCluster['places']) => ({
    ...cluster('', 0),
    total: places.reduce((sum, { online }) => sum + online, 0),
    places,
  })
  const city = (name: string, online: number) => ({ name, online, offline: 0, inactive: 0 })
  const parts = [
    mixed(city('无锡', 14), city('苏州', 12)),
    mixed(city('上海', 13), city('苏州', 4)),
    mixed(city('', 3)),
  ]
  const [spot, ...others] = spotsOf(parts, () => [0, 0])
  expect(others).toEqual([])
  expect(spot?.cluster.places.map(({ name, online }) => [name, online])).toEqual([
    ['苏州', 16],
    ['无锡', 14],
    ['上海', 13],
    ['', 3],
  ])
  // Devices at no known place are no place.
  expect(spot && clusterWords(spot.cluster)).toMatch(/^苏州等 3 地：46 台，/)
})

test('without room for the whole name the largest city stands alone; a count that is not in the ring is in the name', () => {
  const both = { ...cluster('苏州', 30), places: [...cluster('苏州', 20).places, ...cluster('无锡', 10).places] }
  const texts = (total: number, width: number) =>
    named([{ x: 30, y: 50, r: 20, cluster: { ...both, total } }], 14, 1, { width, height: 100 })[0]?.label?.text
  expect(texts(30, 300)).toBe('苏州等 2 地')
  expect(texts(30, 60)).toBe('苏州')
  expect(texts(30, 20)).toBeUndefined()
  expect(texts(123_456, 300)).toBe('苏州等 2 地')
  expect(named([{ x: 30, y: 50, r: 10, cluster: { ...both, total: 1_234 } }], 14, 1, room)[0]?.label?.text).toBe(
    '苏州等 2 地 · 1,234 台',
  )
})

test('rings that would touch become one with the name of the larger and the worst alarm of both', () => {
  const at: Record<string, [number, number]> = { 上海: [100, 100], 苏州: [104, 98], 北京: [100, 300] }
  const spots = spotsOf(
    [cluster('苏州', 10, 2, 0, 5), cluster('上海', 100, 0, 1, 2), cluster('北京', 50)],
    (one) => at[cityOf(one)] ?? [0, 0],
  )
  expect(spots.map((spot) => clusterName(spot.cluster))).toEqual(['上海等 2 地', '北京'])
  expect(spots[0]?.cluster).toMatchObject({ total: 113, online: 110, offline: 2, inactive: 1, level: 5 })
  expect(spots[0]).toMatchObject({ x: 100, y: 100 })
})

test('no device is lost by joining', () => {
  const many = Array.from({ length: 60 }, (_, index) => cluster(`c${index}`, index + 1))
  const spots = spotsOf(many, ({ total }) => [(total * 37) % 200, (total * 53) % 200])
  expect(spots.reduce((sum, spot) => sum + spot.cluster.total, 0)).toBe((60 * 61) / 2)
})

test('the area of a donut follows the count', () => {
  expect(radiusOf(2_000, 2_000)).toBeGreaterThan(radiusOf(500, 2_000))
  expect(radiusOf(1, 2_000)).toBeLessThan(radiusOf(2, 2_000))
})

test('the legend hides a state and clusters that have nothing else', () => {
  const hidden = new Set(['online'] as const)
  const shown = filtered([cluster('甲', 5, 2), cluster('乙', 9)], { hidden, alarmed: false })
  expect(shown).toMatchObject([{ total: 2, online: 0, offline: 2, places: [{ name: '甲', online: 0, offline: 2 }] }])
  // The city that has most of what is left.
  const two = { ...cluster('甲', 5, 2), places: [...cluster('乙', 5).places, ...cluster('甲', 0, 2).places] }
  expect(filtered([two], { hidden, alarmed: false }).map(clusterName)).toEqual(['甲'])
  const alarmed = filtered([cluster('甲', 5, 0, 0, 3), cluster('乙', 9)], { hidden: new Set(), alarmed: true })
  expect(alarmed.map(cityOf)).toEqual(['甲'])
})

test('names never cover each other or another donut', () => {
  const spots = spotsOf(
    [cluster('乌鲁木齐', 40), cluster('呼和浩特', 30), cluster('石家庄', 20)],
    (one) => ({ 乌鲁木齐: [100, 100], 呼和浩特: [170, 100], 石家庄: [100, 160] })[cityOf(one)] as [number, number],
  )
  const placed = named(spots, 14, 1, room)
  // Not on the right, where the next one is.
  expect(placed[0]?.label?.left).toBeLessThan(100)
  expect(placed.every(({ label }) => label !== undefined)).toBe(true)
  const crowded = named(
    Array.from({ length: 30 }, (_, index) => ({ x: index * 14, y: 50, r: 6, cluster: cluster('齐齐哈尔', 2) })),
    14,
    1,
    room,
  )
  expect(crowded.some(({ label }) => label === undefined)).toBe(true)
  const labels = crowded.flatMap(({ label }) => label ?? [])
  for (const [index, { left, top }] of labels.entries()) {
    const covering = labels
      .slice(index + 1)
      .filter((one) => Math.abs(one.left - left) < 56 && Math.abs(one.top - top) < 18)
    expect(covering).toEqual([])
  }
})

test('names keep out of the lists that lie over the map', () => {
  const spot = { x: 250, y: 100, r: 10, cluster: cluster('Buenos Aires', 3) }
  const list = { left: 245, top: 60, right: 500, bottom: 140 }
  const free = named([spot], 14, 1, room)[0]?.label
  const kept = named([spot], 14, 1, { ...room, taken: [list] })[0]?.label
  expect(free?.left).toBeGreaterThan(250)
  expect(kept?.left).toBeLessThan(200)
})

test('who finds no room for a name chooses before the others', () => {
  const at = (x: number, y: number, name: string, online: number) => ({ x, y, r: 10, cluster: cluster(name, online) })
  const strip = { width: 130, height: 28 }
  // The first would take the room between them, the only one that the second has.
  const two = [at(50, 14, '昆明', 9), at(115, 14, '贵阳', 2)]
  const labels = named(two, 14, 1, strip).map(({ cluster: one, label }) => [cityOf(one), label?.text])
  expect(Object.fromEntries(labels)).toEqual({ 昆明: '昆明', 贵阳: '贵阳' })
})

test('the room of a single device is that of its own, longer name', () => {
  const device = { ...cluster('成都', 1), deviceName: 'meter-017', deviceAlias: '成都商业中心 3 号配电柜' }
  const alone = { x: 100, y: 100, r: 4, cluster: device }
  const lefts = (...spots: Parameters<typeof named>[0]) =>
    named(spots, 14, 1, room).map(({ label }) => label?.left ?? 0)
  expect(lefts(alone)[0]).toBeGreaterThan(100)
  // Beyond the two signs of its city, but not beyond its own name.
  const city = { x: 190, y: 100, r: 10, cluster: cluster('重庆', 6) }
  expect(lefts(alone, city)[0]).toBeLessThan(100)
})

test('a cluster is told in words with its worst alarm, a single device by its own name', () => {
  expect(clusterWords(cluster('上海', 1_200, 3, 0, 5))).toBe(
    '上海：1,203 台，在线 1,200，离线 3，未激活 0，最高告警超紧急',
  )
  expect(clusterWords(cluster('', 1))).toBe('未知地点：1 台，在线 1，离线 0，未激活 0')
  expect(clusterName({ ...cluster('上海', 1), deviceName: 'P-01', deviceAlias: '一号泵' })).toBe('一号泵')
  expect(clusterName({ ...cluster('上海', 1), deviceName: 'P-01' })).toBe('P-01')
})

test('the picture for the provider has shares and ring, and no text that a device could have chosen', () => {
  const one = { ...cluster('<script>', 90, 10, 0, 4), deviceAlias: '<img>' }
  const picture = decodeURIComponent(donutPicture(one, donutSize(one, 100)))
  expect(picture).toMatch(/^data:image\/svg\+xml,<svg /)
  expect(picture).toContain('#FF9552')
  expect(picture).toContain('>100</text>')
  expect(picture.match(/stroke-dasharray/g)).toHaveLength(2)
  expect(picture).not.toMatch(/<script>|<img>/)
})
