import type { AlarmLog } from '@ithings/contract/features/alarms/record.ts'
import { Link } from 'react-router'
import { scenePath } from '#blocks/scene-paths.ts'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { formatTime, logFormat } from '#kit/time.ts'
import { TimeText } from '#kit/time-text.tsx'
import { causeValue, parseCause } from '../../cause.ts'

const triggerOf = (log: AlarmLog): string => parseCause(log.serial)?.trigger || log.desc
const none = <span className="no-value">—</span>

export const logColumns: ListColumn<AlarmLog>[] = [
  {
    key: 'createdTime',
    title: '时间',
    hideable: false,
    phone: 'title',
    render: (_value, row) => <TimeText value={row.createdTime} mode="log" />,
    exportText: (row) => formatTime(row.createdTime, logFormat),
  },
  {
    key: 'scene',
    title: '场景',
    dataIndex: 'sceneName',
    truncate: 240,
    phone: 'subtitle',
    render: (_value, row) =>
      row.sceneID > 0 ? <Link to={scenePath(row.sceneID)}>{row.sceneName}</Link> : row.sceneName || none,
  },
  {
    key: 'value',
    title: '触发值',
    phone: 'meta',
    render: (_value, row) => causeValue(parseCause(row.serial)) || none,
    exportText: (row) => causeValue(parseCause(row.serial)),
  },
  {
    key: 'desc',
    title: '说明',
    truncate: 360,
    phone: 'meta',
    render: (_value, row) => triggerOf(row) || none,
    exportText: triggerOf,
  },
  {
    key: 'serial',
    title: '流水',
    dataIndex: 'serial',
    hiddenAtFirst: true,
    truncate: 240,
  },
]
