import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import { listDevices } from '@ithings/contract/features/devices/info.ts'
import { createProduct } from '@ithings/contract/features/products.ts'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { complete } from './completion.ts'
import { fieldsOf } from './field.ts'
import { bodyOf, flagsOf } from './flags.ts'
import { kebab, wordsOf } from './names.ts'
import { makeProgram, runProgram } from './program.ts'
import { closedUrl, makePlace } from './testing/place.ts'

const find = (program: Command, words: readonly string[]): Command | undefined =>
  words.reduce<Command | undefined>((command, word) => command?.commands.find((one) => one.name() === word), program)

test('every endpoint is a command whose help renders, with a flag for each field that it cannot do without', () => {
  const { place } = makePlace()
  const program = makeProgram(place)
  const seen = new Set<string>()
  for (const endpoint of allEndpoints) {
    const words = wordsOf(endpoint)
    seen.add(words.join(' '))
    const command = find(program, words)
    const help = command?.helpInformation() ?? ''
    expect(help, endpoint.path).toContain(endpoint.name)
    const flags = command?.options.map(({ long }) => long) ?? []
    expect(new Set(flags).size, endpoint.path).toBe(flags.length)
    for (const [field, { required }] of fieldsOf(endpoint.body))
      if (required) expect(flags, endpoint.path).toContain(`--${kebab(field)}`)
  }
  expect(seen.size).toBe(allEndpoints.length)
})

test('what an endpoint demands is refused before anything is sent, and named as the flag', async () => {
  const program = makeProgram(makePlace().place)
  for (const endpoint of allEndpoints) {
    const required = [...fieldsOf(endpoint.body)].filter(([, field]) => field.required)
    if (required.length === 0 || endpoint.multipart) continue
    await expect(program.parseAsync(wordsOf(endpoint), { from: 'user' }), endpoint.path).rejects.toMatchObject({
      message: `缺少 ${required.map(([field]) => `--${kebab(field)}`).join('、')}`,
      exitCode: 64,
    })
  }
})

test('what was typed has its flags, wherever it stands among the words, and nothing else needs any', () => {
  const typed = ['--lang', 'en', 'device', 'info', 'index', '--size', '1']
  const [all, some] = [makeProgram(makePlace().place), makeProgram(makePlace().place, typed)]
  const flags = (program: Command, ...words: string[]) => find(program, words)?.options.map(({ flags }) => flags)
  expect(flags(some, 'device', 'info', 'index')).toEqual(flags(all, 'device', 'info', 'index'))
  expect(flags(some, 'device', 'info', 'create')).toEqual([])
  expect(find(some, ['device', 'info'])?.helpInformation()).toBe(find(all, ['device', 'info'])?.helpInformation())
})

test('flags for several values take them in Chinese, too', () => {
  const program = makeProgram(makePlace().place)
  const ofList = find(program, ['device', 'info', 'index'])?.options.filter(({ variadic }) => variadic)
  expect(ofList?.map(({ long }) => long)).toEqual(['--product-ids', '--with-properties', '--sort'])
  expect(find(program, ['plan'])?.options.filter(({ variadic }) => variadic)).toHaveLength(1)
  expect(find(program, ['export'])?.options.filter(({ variadic }) => variadic)).toHaveLength(1)
})

test('names of flags are readable', () => {
  expect(['productIDs', 'operIpAddr', 'taskUid', 'multiUpdate', 'lookback_delta', 'isEnable'].map(kebab)).toEqual([
    'product-ids',
    'oper-ip-addr',
    'task-uid',
    'multi-update',
    'lookback-delta',
    'is-enable',
  ])
})

async function body(endpoint: typeof listDevices | typeof createProduct, given: Record<string, unknown>) {
  const { place } = makePlace({ input: '{"productName":"from stdin"}' })
  return bodyOf(place, flagsOf(endpoint, new Set()), given)
}

test('flags become the body: names of choices, numbers, lists, JSON, and over a whole body', async () => {
  expect(
    await body(listDevices, {
      deviceType: 'gateway',
      isEnable: '2',
      inGroupId: '7',
      productIds: ['a', 'b'],
      tags: '[{"key":"k","value":"v"}]',
      includeChildren: true,
    }),
  ).toEqual({
    deviceType: 2,
    isEnable: 2,
    inGroupID: 7,
    productIDs: ['a', 'b'],
    tags: [{ key: 'k', value: 'v' }],
    includeChildren: true,
  })
  expect(await body(createProduct, { body: '-', desc: 'x' })).toEqual({ productName: 'from stdin', desc: 'x' })
  expect(await body(createProduct, { body: '{"productName":"a","desc":"b"}', productName: 'c' })).toEqual({
    productName: 'c',
    desc: 'b',
  })
})

test.each([
  [{ deviceType: 'lamp' }, /--device-type 不能是 lamp，可以是 device、gateway、sub-device/],
  [{ inGroupId: '1.5' }, /--in-group-id 须为整数，收到 1\.5/],
  [{ tags: '{' }, /--tags 不是 JSON/],
  [{ body: '[]' }, /--body 须为 JSON 对象/],
  [{ body: '@missing.json' }, /无法读取文件 missing\.json（ENOENT）/],
  [{ includeChildren: 'maybe' }, /--include-children 须为 true 或 false/],
])('a wrong flag is one sentence: %j', async (given, sentence) => {
  await expect(body(listDevices, given)).rejects.toThrow(sentence)
})

test.each([
  [['device', 'infoo'], /没有命令 infoo；是否要用 info/],
  [['device', 'info', 'index', '--nope'], /没有选项 --nope/],
  [['completion', 'csh'], /shell 不能是 csh/],
  [['watch', 'p'], /缺少 deviceName/],
  [['plan'], /缺少 -f/],
  [['product', 'info', 'delete', '--product-id', 'p'], /还没有登录/],
])('a wrong command line is one sentence and ends with 64: %j', async (words, sentence) => {
  const { place, said } = makePlace()
  expect(await runProgram(place, words)).toBe(64)
  expect(said.err).toMatch(sentence)
  expect(said.err.trim().split('\n')).toHaveLength(1)
})

test('what deletes asks on a terminal and needs --yes without one', async () => {
  const env = { ITHINGS_URL: await closedUrl(), ITHINGS_KEY: 'itk_x' }
  const words = ['product', 'info', 'delete', '--product-id', 'p1']
  const alone = makePlace({ env })
  expect(await runProgram(alone.place, words)).toBe(64)
  expect(alone.said.err).toMatch(/--yes/)
  const asked = makePlace({ env, answers: ['n'] })
  expect(await runProgram(asked.place, words)).toBe(1)
  expect(asked.said.questions).toEqual(['删除产品：p1？ [y/N] '])
  expect(asked.said.err).toMatch(/什么也没有改变/)
  // Then it is tried.
  const tried = makePlace({ env })
  expect(await runProgram(tried.place, [...words, '--yes'])).toBe(69)
  expect(tried.said.err).toMatch(/^无法连接 127\.0\.0\.1:\d+：那里没有程序在监听\n$/)
})

test('completion offers commands, flags, values of enumerations, profiles and files', () => {
  const { place } = makePlace()
  const program = makeProgram(place)
  const offers = (line: string) =>
    complete(program, line.split(' '), ['home', 'work'], (option) =>
      option.attributeName() === 'deviceType' ? [{ text: 'gateway', about: '' }] : [],
    ).map(({ text }) => text)
  expect(offers('dev')).toEqual(['device'])
  expect(offers('device info in')).toEqual(['index'])
  expect(offers('device info index --device-t')).toEqual(['--device-type'])
  expect(offers('device info index --device-type ')).toEqual(['gateway'])
  expect(offers('whoami --profile w')).toEqual(['work'])
  expect(offers('apply -f ')).toEqual([':files'])
  expect(offers('completion ')).toEqual(['bash', 'zsh', 'fish', 'powershell'])
  expect(offers('plan in')).toEqual(['index'])
})
