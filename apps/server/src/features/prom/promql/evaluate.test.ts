/**
 * Examples of Prometheus' documentation and behaviour that its own tests promise: series are loaded by its notation, `0+10x3`
 * is 0 10 20 30 and `_` is nothing, one value every so often from the beginning of time.
 */
import { expect, test } from 'vitest'
import type { Selector } from './ast.ts'
import { Collector } from './collector.ts'
import { makeLabels, metricName } from './labels.ts'
import { readSeconds } from './literals.ts'
import type { Need } from './needs.ts'
import { sayNumber } from './number-text.ts'
import { Pace } from './pace.ts'
import { parseQuery, parseSelector } from './parse.ts'
import { type Answer, runQuery } from './run.ts'
import type { Samples } from './values.ts'

const ms = (text: string): number => readSeconds(text) ?? Number.NaN

function readValues(text: string): number[] {
  return text.split(/\s+/).flatMap((part) => {
    const [, first, step, times] = /^(-?[\d.]+)([+-][\d.]+)x(\d+)$/.exec(part) ?? []
    if (first === undefined) return [part === '_' ? Number.POSITIVE_INFINITY : Number(part)]
    return Array.from({ length: Number(times) + 1 }, (_, i) => Number(first) + i * Number(step))
  })
}

/** @param lines a selector and its values */
function load(every: string, lines: string): Samples[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [, name = '', values = ''] = /^\s*(\S*\{.*\}|\S+)\s+(.*)$/.exec(line) ?? []
      const labels = makeLabels(parseSelector(name).map(({ label, value }) => [label, value]))
      const pairs = readValues(values.trim()).map((value, i) => [i * ms(every), value] as const)
      const there = pairs.filter(([, value]) => value !== Number.POSITIVE_INFINITY)
      const [times, numbers] = [there.map(([time]) => time), there.map(([, value]) => value)]
      return { labels, times: Float64Array.from(times), values: Float64Array.from(numbers) }
    })
}

const limits = { deadline: 1, now: () => 0, gone: () => false, mostRead: 1e6, mostSamples: 1e6, mostPoints: 1e6 }

/** Nothing beyond what is asked for, so that a need which is too small shows. */
const fetchFrom = (data: Samples[]) => async (needs: Need[]) =>
  new Map<Selector, Samples[]>(
    needs.map(({ selector, start, end, moments }) => {
      const found = data.filter(({ labels }) =>
        selector.matchers.every(({ label, matches }) => matches(labels.get(label) ?? '')),
      )
      const cut = found.map(({ labels, times, values }) => {
        const collector = new Collector(moments)
        for (const [i, time] of times.entries()) {
          if (time >= start && time <= end) collector.add(time, values[i] as number)
        }
        return collector.samples(labels)
      })
      return [selector, cut]
    }),
  )

const nameOf = (labels: ReadonlyMap<string, string>): string => {
  const pairs = [...labels].filter(([name]) => name !== metricName).map(([name, value]) => `${name}="${value}"`)
  const metric = labels.get(metricName) ?? ''
  return pairs.length > 0 ? `${metric}{${pairs.join(',')}}` : metric || '{}'
}

/** Twelve digits count: sums may differ in the last ones. */
const short = (value: number): string => sayNumber(Number.isFinite(value) ? Number(value.toPrecision(12)) : value)

function toLines(answer: Answer): string[] {
  if (answer.type === 'scalar') return [[...answer.values].map(short).join(' ')]
  if (answer.type === 'string') return [JSON.stringify(answer.value)]
  if (answer.type === 'matrix') {
    return answer.list.map(({ labels, times, values }) => {
      const pairs = [...values].map((value, i) => `${short(value)}@${(times[i] as number) / 1000}`)
      return `${nameOf(labels)} ${pairs.join(' ')}`
    })
  }
  return answer.series.map(({ labels, values, has }) => {
    const said = [...values].map((value, i) => (has[i] ? short(value) : '_'))
    return `${nameOf(labels)} ${said.join(' ')}`
  })
}

const run = (data: Samples[], query: string, grid: { start: number; step: number; count: number }, instant: boolean) =>
  runQuery(parseQuery(query), { grid, instant, lookback: 300_000, pace: new Pace(limits), fetch: fetchFrom(data) })

const at = async (data: Samples[], when: string, query: string): Promise<string[]> =>
  toLines(await run(data, query, { start: ms(when), step: 1, count: 1 }, true))

async function overTime(data: Samples[], [from, to, step]: string[], query: string): Promise<string[]> {
  const [start, end, by] = [ms(from ?? ''), ms(to ?? ''), ms(step ?? '')]
  return toLines(await run(data, query, { start, step: by, count: Math.floor((end - start) / by) + 1 }, false))
}

/** Both in an order of their own, if order does not matter. */
const sorted = (lines: string[]) => lines.toSorted()

const requests = load(
  '5m',
  `
  requests{group="production",instance="0",job="api"} 0+10x10
  requests{group="production",instance="1",job="api"} 0+20x10
  requests{group="canary",instance="0",job="api"} 0+30x10
  requests{group="canary",instance="1",job="api"} 0+40x10
  requests{group="production",instance="0",job="app"} 0+50x10
  requests{group="production",instance="1",job="app"} 0+60x10
  requests{group="canary",instance="0",job="app"} 0+70x10
  requests{group="canary",instance="1",job="app"} 0+80x10
  matching_a{l="x"} 0+1x100
  matching_a{l="y"} 0+2x50`,
)

test.each([
  ['- - - 1', ['-1']],
  ['-2^---1*3', ['-1.5']],
  ['2/-2^---1*3+2', ['-10']],
  ['-1^2', ['-1']],
  ['2 ^ 3 ^ 2', ['512']],
  ['2 ^ -1 * 3 - 1', ['0.5']],
  [
    'requests{job="api",instance="0",group="canary"} - requests offset 5m * 2',
    ['{group="canary",instance="0",job="api"} -240'],
  ],
  ['1 == bool 1', ['1']],
  ['1e3 + 0x1F + 1_000 + 5m', ['2331']],
  ['NaN ^ 0 + 1 ^ NaN', ['2']],
  ['-Inf', ['-Inf']],
  ['"a\\u00e9\\n"', ['"aé\\n"']],
  ['sum by (job) (requests) - count by (job) (requests)', ['{job="api"} 996', '{job="app"} 2596']],
  ['2 - SUM(requests) BY (job)', ['{job="api"} -998', '{job="app"} -2598']],
  ['-requests{job="api",instance="0",group="production"}', ['{group="production",instance="0",job="api"} -100']],
  ['sum(requests) by (job) % 0.3 > 0.15', ['{job="app"} 0.2']],
  ['sum(requests) by (job) / 0', ['{job="api"} +Inf', '{job="app"} +Inf']],
  ['sum(requests) by (job) > 1000', ['{job="app"} 2600']],
  ['1000 < sum(requests) by (job)', ['{job="app"} 2600']],
  ['sum(requests) by (job) == bool 1000', ['{job="api"} 1', '{job="app"} 0']],
  ['requests{job="api",group="canary"} > 350', ['requests{group="canary",instance="1",job="api"} 400']],
  [
    'requests{group="canary"} and requests{instance="0"}',
    ['requests{group="canary",instance="0",job="api"} 300', 'requests{group="canary",instance="0",job="app"} 700'],
  ],
  [
    '(requests{group="canary"} + 1) and on(instance) requests{instance="0",group="production"}',
    ['{group="canary",instance="0",job="api"} 301', '{group="canary",instance="0",job="app"} 701'],
  ],
  [
    'requests{group="canary",job="api"} or on(instance) (requests or matching_a)',
    [
      'requests{group="canary",instance="0",job="api"} 300',
      'requests{group="canary",instance="1",job="api"} 400',
      'matching_a{l="x"} 10',
      'matching_a{l="y"} 20',
    ],
  ],
  [
    'requests{group="canary"} unless on(job, instance) requests{instance="0"}',
    ['requests{group="canary",instance="1",job="api"} 400', 'requests{group="canary",instance="1",job="app"} 800'],
  ],
  ['requests{group="canary"} unless on(job) requests{instance="0"}', []],
  [
    'requests{group="canary"} / on(instance,job) requests{group="production"}',
    [
      '{instance="0",job="api"} 3',
      '{instance="0",job="app"} 1.4',
      '{instance="1",job="api"} 2',
      '{instance="1",job="app"} 1.33333333333',
    ],
  ],
  [
    'requests{group="canary",job="api"} / ignoring(group) requests{group="production"}',
    ['{instance="0",job="api"} 3', '{instance="1",job="api"} 2'],
  ],
  [
    'sum without (instance) (requests{job="api"})',
    ['{group="canary",job="api"} 700', '{group="production",job="api"} 300'],
  ],
  ['avg by (group) (requests{job="api"})', ['{group="canary"} 350', '{group="production"} 150']],
  ['sum by (job, nothing) (requests)', ['{job="api"} 1000', '{job="app"} 2600']],
  ['max(requests) - min(requests)', ['{} 700']],
  ['stddev(requests)', ['{} 229.128784748']],
  ['stdvar by (instance) (requests)', ['{instance="0"} 50000', '{instance="1"} 50000']],
  ['group by (job) (requests)', ['{job="api"} 1', '{job="app"} 1']],
  ['quantile(0.5, requests)', ['{} 450']],
  ['count_values("v", requests > bool 450)', ['{v="0"} 4', '{v="1"} 4']],
  ['count_values by (job) ("job", requests > bool 450)', ['{job="0"} 4', '{job="1"} 4']],
  ['count({job=~"ap(i|p)", instance!~"[^0]"})', ['{} 4']],
  ['count(requests{job=~"api|app",group!="canary"})', ['{} 4']],
  ['count({__name__=~"matching.*"})', ['{} 2']],
  // Anchored at both ends.
  ['count(requests{job=~"ap"})', []],
  ['scalar(sum(requests)) + scalar(requests)', ['NaN']],
  ['vector(scalar(sum(requests)))', ['{} 3600']],
  ['time()', ['3000']],
  ['hour(vector(1136239445)) + minute(vector(1136239445)) / 100', ['{} 22.04']],
  ['absent(nothing{job="a",instance=~"b"})', ['{job="a"} 1']],
  ['absent(requests)', []],
  ['absent(sum(nothing))', ['{} 1']],
  ['absent_over_time(nothing{x="y"}[1h])', ['{x="y"} 1']],
])('at 50m %s', async (query, lines) => {
  expect(sorted(await at(requests, '50m', query))).toEqual(sorted(lines))
})

test.each([
  [
    'topk(3, requests)',
    [
      'requests{group="canary",instance="1",job="app"} 800',
      'requests{group="canary",instance="0",job="app"} 700',
      'requests{group="production",instance="1",job="app"} 600',
    ],
  ],
  [
    'bottomk by (group) (1, requests)',
    ['requests{group="production",instance="0",job="api"} 100', 'requests{group="canary",instance="0",job="api"} 300'],
  ],
  ['topk(0, requests)', []],
  [
    'sort_desc(requests{job="api"})',
    [
      'requests{group="canary",instance="1",job="api"} 400',
      'requests{group="canary",instance="0",job="api"} 300',
      'requests{group="production",instance="1",job="api"} 200',
      'requests{group="production",instance="0",job="api"} 100',
    ],
  ],
])('in this order: %s', async (query, lines) => {
  expect(await at(requests, '50m', query)).toEqual(lines)
})

const nodes = load(
  '5m',
  `
  node_var{instance="abc",job="node"} 2
  node_role{instance="abc",job="node",role="prometheus"} 1
  node_cpu{instance="abc",job="node",mode="idle"} 3
  node_cpu{instance="abc",job="node",mode="user"} 1
  node_cpu{instance="def",job="node",mode="idle"} 8
  node_cpu{instance="def",job="node",mode="user"} 2`,
)

test.each([
  ['node_role * on (instance) group_right (role) node_var', ['{instance="abc",job="node",role="prometheus"} 2']],
  ['node_var * on (instance) group_left (role) node_role', ['{instance="abc",job="node",role="prometheus"} 2']],
  [
    'node_cpu * ignoring (role, mode) group_left (role) node_role',
    [
      '{instance="abc",job="node",mode="idle",role="prometheus"} 3',
      '{instance="abc",job="node",mode="user",role="prometheus"} 1',
    ],
  ],
  [
    'node_cpu / on (instance) group_left sum by (instance,job)(node_cpu)',
    [
      '{instance="abc",job="node",mode="idle"} 0.75',
      '{instance="abc",job="node",mode="user"} 0.25',
      '{instance="def",job="node",mode="idle"} 0.8',
      '{instance="def",job="node",mode="user"} 0.2',
    ],
  ],
])('many to one: %s', async (query, lines) => {
  expect(sorted(await at(nodes, '1m', query))).toEqual(sorted(lines))
})

test.each([
  ['node_cpu + on(instance) node_cpu', '多对多'],
  ['node_cpu * on(instance) node_var', 'group_left'],
  ['node_role * on(job) group_right(nothing) node_cpu * on(job) node_cpu', '多对多'],
  ['label_replace(node_cpu, "mode", "", "", "")', '标签完全相同'],
  ['rate({__name__=~"a|b"}[5m])', ''],
])('%s is an error of execution', async (query, words) => {
  if (words === '') return expect(await at(nodes, '1m', query)).toEqual([])
  await expect(at(nodes, '1m', query)).rejects.toMatchObject({
    type: 'execution',
    message: expect.stringContaining(words),
  })
})

/** As the pages of the documentation on operators and functions have them. */
const documented = load(
  '5m',
  `
  method_code:http_errors:rate5m{code="500",method="get"} 24
  method_code:http_errors:rate5m{code="404",method="get"} 30
  method_code:http_errors:rate5m{code="501",method="put"} 3
  method_code:http_errors:rate5m{code="500",method="post"} 6
  method_code:http_errors:rate5m{code="404",method="post"} 21
  method:http_requests:rate5m{method="get"} 600
  method:http_requests:rate5m{method="del"} 34
  method:http_requests:rate5m{method="post"} 120
  up{job="api-server",src1="a",src2="b",src3="c"} 1
  up{job="api-server",service="a:c"} 1`,
)

test.each([
  [
    'method_code:http_errors:rate5m{code="500"} / ignoring(code) method:http_requests:rate5m',
    ['{method="get"} 0.04', '{method="post"} 0.05'],
  ],
  [
    'method_code:http_errors:rate5m / ignoring(code) group_left method:http_requests:rate5m',
    [
      '{code="404",method="get"} 0.05',
      '{code="404",method="post"} 0.175',
      '{code="500",method="get"} 0.04',
      '{code="500",method="post"} 0.05',
    ],
  ],
  [
    'label_join(up{src1="a"}, "foo", ",", "src1", "src2", "src3")',
    ['up{foo="a,b,c",job="api-server",src1="a",src2="b",src3="c"} 1'],
  ],
  [
    'label_replace(up{service="a:c"}, "foo", "$1", "service", "(.*):.*")',
    ['up{foo="a",job="api-server",service="a:c"} 1'],
  ],
  [
    'label_replace(up{service="a:c"}, "foo", "$name-$\u007bversion}", "service", "(?P<name>.*):(?P<version>.*)")',
    ['up{foo="a-c",job="api-server",service="a:c"} 1'],
  ],
  ['absent(nonexistent{job="myjob",instance=~".*"})', ['{job="myjob"} 1']],
  ['absent(sum(nonexistent{job="myjob"}))', ['{} 1']],
  ['absent_over_time(nonexistent{job="myjob",instance=~".*"}[1h])', ['{job="myjob"} 1']],
])('the documentation: %s', async (query, lines) => {
  expect(sorted(await at(documented, '0s', query))).toEqual(lines)
})

const counters = load(
  '5m',
  `
  foo 0+10x10
  bar 0+10x5 0+10x5
  dings 10+10x10
  bumms 1+10x10
  middle 0+10x4 0+10x5
  falling 200-50x4
  up{p="foo"} 1 2 3 0 1 0 0 1 2 0
  up{p="bar"} 1 2 3 4 5 1 2 3 4 5
  up{p="biz"} 0 0 0 0 0 1 1 1 1 1`,
)
const cutoff = load(
  '4m',
  `
  zero{start="0m"} 0+240x10
  zero{start="1m"} 60+240x10
  zero{start="2m"} 120+240x10
  zero{start="5m"} 300+240x10`,
)

test.each([
  // Without extrapolation below zero; "dings" by half of an interval, "bumms" until it would be zero.
  ['50m', 'increase({__name__=~"foo"}[100m])', ['{} 100']],
  ['50m', 'increase(bar[100m])', ['{} 90']],
  ['50m', 'increase(dings[100m])', ['{} 105']],
  ['50m', 'increase(bumms[100m])', ['{} 101']],
  ['50m', 'rate(middle[50m])', ['{} 0.0296296296296']],
  ['50m', 'irate(bar[50m])', ['{} 0.0333333333333']],
  ['30m', 'irate(bar[50m])', ['{} 0']],
  ['20m', 'delta(falling[20m])', ['{} -200']],
  ['20m', 'idelta(falling[20m])', ['{} -50']],
  ['50m', 'deriv(middle[100m])', ['{} 0.0106060606061']],
  ['50m', 'predict_linear(middle[100m], 3600)', ['{} 76.8181818182']],
  ['50m', 'resets(up[30m])', ['{p="bar"} 0', '{p="biz"} 0', '{p="foo"} 1']],
  ['50m', 'changes(up[50m])', ['{p="bar"} 8', '{p="biz"} 1', '{p="foo"} 7']],
  ['50m', 'rate(foo[10m] offset 5m)', ['{} 0.0333333333333']],
  ['50m', 'increase(foo[1m])', []],
])('at %s %s', async (when, query, lines) => {
  expect(sorted(await at(counters, when, query))).toEqual(lines)
})

test('a rate goes on to half an interval before its first value, and not below zero', async () => {
  expect(await at(cutoff, '10m', 'rate(zero[20m])')).toEqual([
    '{start="0m"} 0.5',
    '{start="1m"} 0.55',
    '{start="2m"} 0.6',
    '{start="5m"} 0.6',
  ])
})

const seconds = load('10s', 'metric{job="1"} 0+1x1000\nmetric{job="2"} 0+2x1000')

test.each([
  ['10s', 'metric{job="1"} @ 100', ['metric{job="1"} 10']],
  ['10s', 'metric{job="1"} offset 50s @ 100', ['metric{job="1"} 5']],
  ['10s', 'metric{job="1"} @ 0 offset -50s', ['metric{job="1"} 5']],
  ['25s', 'sum_over_time(metric{job="1"}[100s] @ 100 offset 50s)', ['{job="1"} 15']],
  ['25s', 'sum_over_time(metric{job="1"}[100s:1s] @ 100)', ['{job="1"} 460']],
  ['25s', 'sum_over_time(metric{job="1"}[100s:1s] @ 100 offset 20s)', ['{job="1"} 288']],
  [
    '0s',
    'sum_over_time(sum_over_time(sum_over_time(metric{job="1"}[10s])[100s:25s] @ 200)[3s:1s] @ 50)',
    ['{job="1"} 192'],
  ],
  [
    '0s',
    'sum_over_time(sum_over_time(sum_over_time(metric{job="1"}[20s])[20s:10s] offset 10s)[100s:25s] @ 1000)',
    ['{job="1"} 1504'],
  ],
  ['0s', 'sum_over_time(vector(time())[100s:1s] @ 3000)', ['{} 295050']],
  ['0s', 'sum_over_time(minute()[50m:1m] @ 6000)', ['{} 1315']],
  ['10m', 'timestamp(metric{job="1"} @ 10)', ['{job="1"} 10']],
  ['15m', 'timestamp(timestamp(metric{job="1"} @ 10))', ['{job="1"} 900']],
  ['1000s', 'rate(sum_over_time(metric{job="1"}[30s:10s])[50s:10s])', ['{job="1"} 0.3']],
  ['1m', 'metric{job="1"}[30s]', ['metric{job="1"} 4@40 5@50 6@60']],
  ['1m', 'metric{job="1"}[30s:15s] offset 10s', ['metric{job="1"} 3@30 4@45']],
])('at %s %s', async (when, query, lines) => {
  expect(await at(seconds, when, query)).toEqual(lines)
})

const data = load(
  '10s',
  `
  m{x="a"} 0 8 8 2 3
  m{x="b"} NaN 1 NaN 3 7
  clamp{src="a"} -50
  clamp{src="b"} 0
  clamp{src="c"} 100
  t{dst="old",src="source-value-10"} 0
  t{dst="old",src="source-value-20"} 1`,
)

test.each([
  ['50s', 'avg_over_time(m{x="a"}[1m])', ['{x="a"} 4.2']],
  ['50s', 'min_over_time(m[1m])', ['{x="a"} 0', '{x="b"} 1']],
  ['50s', 'max_over_time(m[1m])', ['{x="a"} 8', '{x="b"} 7']],
  ['50s', 'count_over_time(m[1m])', ['{x="a"} 5', '{x="b"} 5']],
  ['50s', 'last_over_time(m[1m])', ['m{x="a"} 3', 'm{x="b"} 7']],
  ['50s', 'stddev_over_time(m{x="a"}[1m])', ['{x="a"} 3.24961536185']],
  ['50s', 'quantile_over_time(0.5, m{x="a"}[1m])', ['{x="a"} 3']],
  ['50s', 'quantile_over_time(2, m{x="a"}[1m])', ['{x="a"} +Inf']],
  ['50s', 'present_over_time(m[1m])', ['{x="a"} 1', '{x="b"} 1']],
  ['0s', 'clamp(clamp, -25, 75)', ['{src="a"} -25', '{src="b"} 0', '{src="c"} 75']],
  ['0s', 'clamp(clamp, 5, -5)', []],
  ['0s', 'sgn(clamp)', ['{src="a"} -1', '{src="b"} 0', '{src="c"} 1']],
  ['0s', 'round(clamp{src="c"} / 1000 + 5.25, 0.1)', ['{src="c"} 5.4']],
  ['0s', 'round(clamp{src="a"} / 100)', ['{src="a"} 0']],
  ['0s', 'max(m)', ['{} 0']],
  [
    '0s',
    'label_replace(t, "dst", "value-$1", "src", "source-value-(.*)")',
    ['t{dst="value-10",src="source-value-10"} 0', 't{dst="value-20",src="source-value-20"} 1'],
  ],
  ['0s', 'label_replace(t, "dst", "v", "src", "value-(.*)") > 0', ['t{dst="old",src="source-value-20"} 1']],
  ['0s', 'label_replace(t, "dst", "", "dst", ".*") > 0', ['t{src="source-value-20"} 1']],
  [
    '0s',
    'label_join(t, "new", "-", "dst", "src", "none") > 0',
    ['t{dst="old",new="old-source-value-20-",src="source-value-20"} 1'],
  ],
])('at %s %s', async (when, query, lines) => {
  expect(await at(data, when, query)).toEqual(lines)
})

test.each([
  ['15s', 'bar 0 1 10 100 1000', ['0', '1m', '30s'], 'sum_over_time(bar[30s])', ['{} 0 11 1100']],
  [
    '30s',
    'foo{job="1"} 1+1x4\nbar{job="2"} 1+1x4',
    ['0', '2m', '1m'],
    'foo > 2 or bar',
    ['bar{job="2"} 1 3 5', 'foo{job="1"} _ 3 5'],
  ],
  ['30s', 'foo{job="1"} 1+1x4', ['0', '2m', '1m'], 'foo * 2', ['{job="1"} 2 6 10']],
  ['30s', 'foo{job="1"} 1+1x4', ['0', '2m', '1m'], 'foo @ end() - foo @ start()', ['{job="1"} 4 4 4']],
  [
    '30s',
    'foo{a="1"} 1+1x4\nfoo{a="2"} 5-1x4',
    ['0', '2m', '1m'],
    'topk(1, foo)',
    ['foo{a="1"} _ 3 5', 'foo{a="2"} 5 _ _'],
  ],
  ['1m', 'foo 1', ['0', '10m', '150s'], 'foo', ['foo 1 1 _ _ _']],
  ['1m', 'foo 1', ['0', '4m', '2m'], 'time()', ['0 120 240']],
])('from a load of %s %s over %s: %s', async (every, lines, range, query, result) => {
  expect(await overTime(load(every, lines), range, query)).toEqual(result)
})

test('a query that would become too large, or takes too long, is given up', async () => {
  const grid = { start: 0, step: 1000, count: 1000 }
  const options = (more: object) => ({
    grid,
    instant: false,
    lookback: 300_000,
    pace: new Pace({ ...limits, ...more }),
    fetch: fetchFrom(seconds),
  })
  const asked = parseQuery('metric')
  await expect(runQuery(asked, options({ mostPoints: 1999 }))).rejects.toMatchObject({ type: 'execution' })
  const long = parseQuery('sum(sum_over_time(metric[100s:1s]))')
  await expect(runQuery(long, options({ now: () => 1 }))).rejects.toMatchObject({ type: 'timeout' })
  await expect(runQuery(long, options({ gone: () => true }))).rejects.toMatchObject({ type: 'canceled' })
})
