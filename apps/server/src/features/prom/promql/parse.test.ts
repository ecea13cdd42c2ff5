import { expect, test } from 'vitest'
import { parseQuery, parseSelector } from './parse.ts'

test.each([
  ['', 'query'],
  ['temp{', '第 6 个字符'],
  ['temp +', '不合语法'],
  ['nosuch(temp)', '不支持函数 nosuch'],
  ['histogram_quantile(0.9, temp)', '不支持函数 histogram_quantile'],
  ['limitk(3, temp)', '不支持 limitk'],
  ['temp[5m+1m]', '不支持 5m+1m'],
  ['temp[0s]', '大于 0'],
  ['{}', '不匹配空值'],
  ['{x=~".*"}', '不匹配空值'],
  ['temp{__name__="b"}', '只能写一次'],
  ['temp{x=~"("}', '正则表达式'],
  ['temp{x=~"(?=a)"}', '正则表达式'],
  ['temp{x="\\q"}', '写法不对'],
  ['rate(temp)', 'rate 需要区间向量，得到的是瞬时向量'],
  ['sum(temp[5m])', 'sum 需要瞬时向量，得到的是区间向量'],
  ['sum(1, temp)', '参数个数不对'],
  ['clamp(temp, 1)', '参数个数不对'],
  ['temp + "a"', '得到的是文本'],
  ['1 > 2', '须写 bool'],
  ['temp + bool 1', 'bool 只能用于比较'],
  ['1 and temp', '只能用于两个瞬时向量'],
  ['temp + on(x) 1', 'on 和 ignoring'],
  ['temp and on(x) group_left() temp', 'group_left'],
  ['temp + on(x) group_left(x) temp', '标签 x'],
  ['(temp) offset 5m', 'offset'],
  ['sum(temp) offset 5m', 'offset'],
  ['temp offset 5m offset 5m', 'offset'],
  ['(temp + temp)[5m]', '范围'],
  [`${'('.repeat(300)}1${')'.repeat(300)}`, '嵌套'],
  [`1${'+1'.repeat(300)}`, '嵌套'],
  [`"${'x'.repeat(100_001)}"`, '最长'],
])('%s is refused as bad data', (query, words) => {
  expect(() => parseQuery(query)).toThrow(
    expect.objectContaining({ type: 'bad_data', message: expect.stringContaining(words) }),
  )
})

test.each([
  '# a comment\ntemp # another',
  'sum by ("a label", b) ({"a metric", "标签"="楼层"})',
  'temp{a="b",}',
  'SUM(temp) BY (a,)',
  'foo:bar_total offset -5m',
  'max_over_time(rate(temp[5m])[1h:])',
])('%s is a query', (query) => {
  expect(() => parseQuery(query)).not.toThrow()
})

test('a selector is a selector alone', () => {
  expect(parseSelector('temp{device=~"a|b"}').map(({ label }) => label)).toEqual(['__name__', 'device'])
  for (const text of ['temp[5m]', 'temp offset 1m', 'sum(temp)', '1'])
    expect(() => parseSelector(text)).toThrow('不是选择器')
})

test('a list of values is known as one, so that it is found by an index', () => {
  const valuesOf = (text: string) => parseSelector(`x{d=~${text}}`)[1]?.values
  expect(valuesOf('"a|b"')).toEqual(new Set(['a', 'b']))
  expect(valuesOf('"(a\\\\.1|b-2)"')).toEqual(new Set(['a.1', 'b-2']))
  expect(valuesOf('"a.*"')).toBeUndefined()
  expect(valuesOf('"a\\\\d"')).toBeUndefined()
})

test('an expression that others would need ages for is quick', () => {
  const [, slow] = parseSelector('x{d=~"(a+)+$"}')
  expect(slow?.matches(`${'a'.repeat(5_000)}!`)).toBe(false)
})
