/** Alarm records as a table wherever they are looked up: of a device, of an alarm. */

import { alarmLevelLabels } from '@ithings/contract/features/alarms/config.ts'
import type { AlarmRecord } from '@ithings/contract/features/alarms/record.ts'
import { t } from '@ithings/contract/text.ts'
import { Link } from 'react-router'
import { AlarmLevelMark } from '#blocks/alarm-level.tsx'
import { DeviceLink } from '#blocks/device-link.tsx'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { recordPath, scenePath } from '#kit/paths.ts'
import { labelOf } from '#kit/status-tag.tsx'
import { Lasted, RecordState } from './record-cells.tsx'
import { durationText, handlerName, hasDevice, lastedMs, recordLook, sourceName } from './record-words.ts'

const level: ListColumn<AlarmRecord> = {
  key: 'level',
  title: '级别',
  width: 96,
  sorter: true,
  phone: 'meta',
  render: (_value, row) => <AlarmLevelMark level={row.level} />,
  exportText: (row) => labelOf(alarmLevelLabels, row.level),
}

const name: ListColumn<AlarmRecord> = {
  key: 'alarmName',
  title: '告警名称',
  dataIndex: 'alarmName',
  hideable: false,
  phone: 'title',
  render: (_value, row) => <Link to={recordPath(row.id)}>{row.alarmName}</Link>,
}

const source: ListColumn<AlarmRecord> = {
  key: 'source',
  title: '触发源',
  phone: 'subtitle',
  render: (_value, row) => (hasDevice(row) ? <DeviceLink device={row}>{sourceName(row)}</DeviceLink> : sourceName(row)),
  exportText: (row) => (hasDevice(row) ? `${row.productID}/${row.deviceName}` : sourceName(row)),
}

const scene: ListColumn<AlarmRecord> = {
  key: 'scene',
  title: '场景',
  truncate: 200,
  dataIndex: 'sceneName',
  render: (_value, row) => (row.sceneID > 0 ? <Link to={scenePath(row.sceneID)}>{row.sceneName}</Link> : row.sceneName),
}

const cause: ListColumn<AlarmRecord> = { key: 'cause', title: '触发内容', dataIndex: 'cause', truncate: 280 }

const when: ListColumn<AlarmRecord>[] = [
  { key: 'firstAlarm', title: '首次告警', sorter: true, hiddenAtFirst: true, time: 'relative' },
  { key: 'lastAlarm', title: '最近告警', sorter: true, phone: 'meta', time: 'relative' },
  {
    key: 'lasted',
    title: '持续',
    phone: 'meta',
    render: (_value, row) => <Lasted record={row} />,
    exportText: (row) => durationText(lastedMs(row, Date.now())),
  },
  { key: 'count', title: '次数', dataIndex: 'count', sorter: true, align: 'end', phone: 'meta' },
]

const state: ListColumn<AlarmRecord> = {
  key: 'dealState',
  title: '状态',
  sorter: true,
  phone: 'status',
  render: (_value, row) => <RecordState record={row} />,
  exportText: (row) => t(recordLook(row).text),
}

/** In files only: the table says it below the state. */
const handler: ListColumn<AlarmRecord> = {
  key: 'handler',
  title: '处理人',
  hiddenAtFirst: true,
  render: (_value, row) => handlerName(row) || <span className="no-value">—</span>,
  exportText: handlerName,
}

/** An alarm's own records differ by their device: that is their name then. */
const ofAlarm: ListColumn<AlarmRecord>[] = [
  { ...source, hideable: false, phone: 'title' },
  { ...name, hideable: true, hiddenAtFirst: true, phone: 'subtitle' },
]

/** @param without what the page is about anyway */
export const recordColumns = (without: 'device' | 'alarm'): ListColumn<AlarmRecord>[] => [
  level,
  ...(without === 'device' ? [name] : ofAlarm),
  // What is still open must be seen without scrolling sideways.
  state,
  ...when,
  cause,
  // Of one alarm they are few, and its page names them.
  { ...scene, hiddenAtFirst: without === 'alarm' },
  handler,
]
