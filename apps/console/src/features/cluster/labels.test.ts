import { expect, test } from 'vitest'
import { behindText, disagreementText, lagText, serverTitle } from './labels.ts'

test('a server is called by its number and its machine', () => {
  expect(serverTitle({ node: 0, name: 'alpha' })).toBe('0 号 alpha')
  expect(serverTitle({ node: -1, name: '' })).toBe('未知服务器')
})

test('short times have a decimal, what is not known is a dash', () => {
  expect([-1, 0.8, 12.4].map(lagText)).toEqual(['—', '0.8 ms', '12 ms'])
})

test('packing is behind by minutes, after two hours by hours', () => {
  expect([0, 1800, 7140, 7200, 90_000].map(behindText)).toEqual(['0 分钟', '30 分钟', '119 分钟', '2 小时', '25 小时'])
})

test('a setting that differs is told with the value of each server and what comes of it', () => {
  const of = (setting: string, ...values: string[]) =>
    disagreementText({ setting, list: values.map((value, node) => ({ serverID: `${node}`, node, name: 'm', value })) })
  expect(of('NATS_URL', 'a:4222', '')).toBe(
    'NATS_URL 不一致：0 号 m a:4222，1 号 m 未设置。服务器之间的通知可能收不到：/readyz 返回 503，权限改为查询数据库。',
  )
  expect(of('UPSTREAM_MQTT_PARTS', '2', '3')).toContain('0 号 m 2，1 号 m 3。只有先取得消息的一方继续取')
})
