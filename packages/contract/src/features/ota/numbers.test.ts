import { expect, test } from 'vitest'
import { uploadScenes } from '../files.ts'
import { FirmwareModule, firmwareModuleLabels, moduleOfName, PackageKind } from './firmware.ts'
import { OtaStatus, OtaTaskStatus, otaStatusLabels, otaTaskStatusLabels } from './states.ts'
import { OtaScope, OtaStrategy, VersionSource } from './task.ts'

test('spec 3: upgrade mode, type, module and source have their numbers', () => {
  expect(OtaScope).toEqual({ all: 1, part: 2 })
  expect(OtaStrategy).toEqual({ static: 1, dynamic: 2 })
  expect(FirmwareModule).toEqual({ all: 0, wifi: 1, mcu: 2, main: 3 })
  expect(VersionSource).toEqual({ cache: 1, device: 2 })
  expect(PackageKind).toEqual({ full: 1, diff: 2 })
})

test('modules have the words of the spec; what devices call default is main', () => {
  expect(firmwareModuleLabels).toEqual({ 0: '全部', 1: 'wifi', 2: 'mcu', 3: 'main' })
  expect(['wifi', 'mcu', 'main', 'default', 'boot'].map(moduleOfName)).toEqual([1, 2, 3, 3, undefined])
})

test('spec 3: packages are uploaded to the area ota of productManage', () => {
  expect(uploadScenes['productManage/ota'].maxBytes).toBe(1_000 * 1024 * 1024)
})

test('spec 4: states of a task and of a device have their numbers and words', () => {
  expect(OtaTaskStatus).toEqual({ waiting: 1, running: 2, done: 3, cancelled: 4 })
  expect(otaTaskStatusLabels).toEqual({ 1: '未升级', 2: '升级中', 3: '已升级', 4: '已取消' })
  expect(Object.values(OtaStatus).sort()).toEqual([101, 301, 401, 402, 501, 601, 701])
  expect(otaStatusLabels).toEqual({
    101: '未开始',
    301: '已推送',
    401: '升级中',
    402: '升级失败',
    501: '升级成功',
    601: '版本过高',
    701: '已取消',
  })
})
