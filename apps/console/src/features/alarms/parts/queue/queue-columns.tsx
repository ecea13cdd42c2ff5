import { alarmLevelLabels } from '@ithings/contract/features/alarms/config.ts'
import { type AlarmRecord, dealStateLabels } from '@ithings/contract/features/alarms/record.ts'
import { t } from '@ithings/contract/text.ts'
import { Link } from 'react-router'
import { AlarmLevelMark } from '#blocks/alarm-level.tsx'
import { DueTime, Lasted, RecordState } from '#blocks/alarm-records/record-cells.tsx'
import { sourceName, timeLeft } from '#blocks/alarm-records/record-words.ts'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { scenePath } from '#kit/paths.ts'
import { TimeText } from '#kit/time-text.tsx'
import { readLanguage } from '#language/language.ts'

interface Opening {
  onOpen: (record: AlarmRecord) => void
  /** Beside the open drawer there is room for a few columns only. */
  narrow: boolean
}

const nothing = <span className="no-value">—</span>

/** Columns of files: everything, whatever is on the screen. */
export const exportColumns: ListColumn<AlarmRecord>[] = [
  { key: 'level', title: '级别', labels: alarmLevelLabels },
  { key: 'alarmName', title: '告警名称', dataIndex: 'alarmName' },
  { key: 'productID', title: '产品 ID', dataIndex: 'productID' },
  { key: 'productName', title: '产品', dataIndex: 'productName' },
  { key: 'deviceName', title: '设备', dataIndex: 'deviceName' },
  { key: 'deviceAlias', title: '设备别名', dataIndex: 'deviceAlias' },
  { key: 'sceneName', title: '场景', dataIndex: 'sceneName' },
  { key: 'cause', title: '触发内容', dataIndex: 'cause' },
  { key: 'firstAlarm', title: '首次告警', time: 'exact' },
  { key: 'lastAlarm', title: '最近告警', time: 'exact' },
  { key: 'count', title: '次数', dataIndex: 'count' },
  { key: 'dealState', title: '状态', labels: dealStateLabels },
  { key: 'dueTime', title: '处理时限', time: 'exact' },
  { key: 'claimUserName', title: '认领人', dataIndex: 'claimUserName' },
  { key: 'dealUserName', title: '处理人', dataIndex: 'dealUserName' },
  { key: 'dealTime', title: '处理时间', time: 'exact' },
  { key: 'dealResult', title: '处理结果', dataIndex: 'dealResult' },
]

export function queueColumns({ onOpen, narrow }: Opening): ListColumn<AlarmRecord>[] {
  const wide: ListColumn<AlarmRecord> = {
    key: 'cause',
    title: t('触发内容 / 场景'),
    render: (_value, row) => (
      <span className="column shrink">
        <span className="cut" style={{ maxWidth: 200 }} title={row.cause}>
          {row.cause || nothing}
        </span>
        <span className="meta cut" style={{ maxWidth: 200 }}>
          {row.sceneID > 0 ? <Link to={scenePath(row.sceneID)}>{row.sceneName}</Link> : row.sceneName || nothing}
        </span>
      </span>
    ),
  }
  // Words are longer in English; the details beside the list say it, too.
  const lasted: ListColumn<AlarmRecord> = {
    key: 'lasted',
    title: t('持续'),
    width: narrow ? 104 : 112,
    phone: 'meta',
    render: (_value, row) => <Lasted record={row} />,
  }
  const due: ListColumn<AlarmRecord> = {
    key: 'due',
    title: t('处理时限'),
    phone: 'meta',
    render: (_value, row) => (timeLeft(row, Date.now()) ? <DueTime record={row} /> : nothing),
  }
  return [
    {
      key: 'level',
      title: t('级别'),
      width: narrow ? 84 : 96,
      sorter: !narrow,
      phone: 'meta',
      render: (_value, row) => <AlarmLevelMark level={row.level} />,
    },
    {
      key: 'name',
      title: t('告警 / 触发源'),
      phone: 'title',
      render: (_value, row) => (
        <span className="column shrink">
          <button
            type="button"
            className="plain-button queue-name link-hover start cut bold"
            onClick={() => onOpen(row)}
          >
            {row.alarmName}
          </button>
          <span className="meta queue-source cut">{sourceName(row)}</span>
        </span>
      ),
    },
    ...(narrow ? [] : [wide]),
    {
      key: 'lastAlarm',
      title: t('最近'),
      width: narrow ? 88 : 104,
      sorter: !narrow,
      phone: 'meta',
      render: (_value, row) => <TimeText value={row.lastAlarm} />,
    },
    ...(narrow && readLanguage() === 'en' ? [] : [lasted]),
    {
      key: 'count',
      title: t('次数'),
      dataIndex: 'count',
      width: narrow ? 56 : 76,
      sorter: !narrow,
      align: 'end',
      phone: 'meta',
    },
    ...(narrow ? [] : [due]),
    {
      key: 'state',
      title: t('状态'),
      width: narrow ? 84 : 92,
      phone: 'status',
      render: (_value, row) => <RecordState record={row} />,
    },
  ]
}
