import { listDevices } from '@ithings/contract/features/devices/info.ts'
import { expect, test } from 'vitest'
import { type DeviceAct, deviceActs, whom } from './device-acts.tsx'

interface Row {
  name: string
  failed: boolean
}

const ran: string[][] = []
const act = (key: DeviceAct<Row>['key'], fits: DeviceAct<Row>['fits']): DeviceAct<Row> => ({
  key,
  needs: listDevices,
  ofMany: listDevices,
  fits,
  run: (rows) => void ran.push(rows.map(({ name }) => name)),
})

const { rowActions, selection } = deviceActs<Row>(
  [act('retry', ({ failed }) => failed), act('cancel', ({ failed }) => !failed)],
  () => ({
    behind: [{ key: 'log', label: '日志', onClick: () => undefined }],
  }),
)

test('a row offers what fits it, between the acts that are not about retrying and cancelling', () => {
  const labels = (failed: boolean) => rowActions({ name: 'P-1', failed }).map(({ label }) => label)
  expect(labels(true)).toEqual(['重试', '日志'])
  expect(labels(false)).toEqual(['取消', '日志'])
  rowActions({ name: 'P-1', failed: true })[0]?.onClick()
  expect(ran).toEqual([['P-1']])
})

test('ticking is for those who may retry or cancel many', () => {
  expect(selection.needs).toEqual([listDevices, listDevices])
  expect(selection.unit).toBe('台')
})

test('one device is called by its name, several by their number', () => {
  expect(whom(['P-1'])).toBe('设备「P-1」')
  expect(whom(['P-1', 'P-2'])).toBe(' 2 台设备')
  expect(whom([], 12_000)).toBe(' 12,000 台设备')
})
