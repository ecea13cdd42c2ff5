import { type AlarmRecord, createDealRecord } from '@ithings/contract/features/alarms/record.ts'
import { t } from '@ithings/contract/text.ts'
import { Button } from 'antd'
import { Link, useNavigate } from 'react-router'
import { AlarmLevelMark } from '#blocks/alarm-level.tsx'
import { DueTime, Lasted } from '#blocks/alarm-records/record-cells.tsx'
import { handlerName, hasDevice, isOpenRecord, recordLook, sourceName } from '#blocks/alarm-records/record-words.ts'
import { DeviceLink } from '#blocks/device-link.tsx'
import { Fact } from '#blocks/fact.tsx'
import { PageHeading } from '#kit/list-page/page-heading.tsx'
import { numberText } from '#kit/number-text.ts'
import { usePageName } from '#kit/page-name.ts'
import { alarmEditPath, recordPath, scenePath } from '#kit/paths.ts'
import { useMay } from '#kit/rights.tsx'
import { StatusTag } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'

/** The record from the server: what the address says about level and name may be old (screens.md 26). */
export function RecordSummary({ record }: { record: AlarmRecord }) {
  const navigate = useNavigate()
  const may = useMay()
  usePageName(record.alarmName)
  const none = <span className="no-value">—</span>
  return (
    <>
      <PageHeading
        title={
          <span className="inline-row wrap gap-8">
            <AlarmLevelMark level={record.level} filled />
            {record.alarmName}
            <StatusTag filled {...recordLook(record)} />
          </span>
        }
        extra={
          <>
            <Button onClick={() => void navigate(alarmEditPath(record.alarmID))}>{t('告警配置')}</Button>
            <Button
              type={isOpenRecord(record) ? 'primary' : 'default'}
              onClick={() => void navigate(recordPath(record.id))}
            >
              {isOpenRecord(record) && may(createDealRecord) ? t('处理') : t('查看记录')}
            </Button>
          </>
        }
      />
      <dl className="list-card log-facts">
        <Fact label={t('触发源')}>
          {hasDevice(record) ? <DeviceLink device={record}>{sourceName(record)}</DeviceLink> : t('非设备触发')}
        </Fact>
        <Fact label={t('产品')}>{record.productName || none}</Fact>
        <Fact label={t('场景')}>
          {record.sceneID > 0 ? (
            <Link to={scenePath(record.sceneID)}>{record.sceneName}</Link>
          ) : (
            record.sceneName || none
          )}
        </Fact>
        <Fact label={t('首次告警')}>
          <TimeText value={record.firstAlarm} mode="exact" />
        </Fact>
        <Fact label={t('最近告警')}>
          <TimeText value={record.lastAlarm} mode="exact" />
        </Fact>
        <Fact label={t('持续')}>
          <Lasted record={record} />
        </Fact>
        <Fact label={t('次数')}>
          {numberText(record.count)}
          {record.count > record.openedCount && (
            <span className="meta">　{t('本次 {openedCount, number}', { openedCount: record.openedCount })}</span>
          )}
        </Fact>
        <Fact label={isOpenRecord(record) ? t('处理时限') : t('处理人')}>
          {isOpenRecord(record) ? (
            record.dueTime > 0 ? (
              <DueTime record={record} />
            ) : (
              <span className="no-value">{t('不限')}</span>
            )
          ) : (
            handlerName(record) || none
          )}
        </Fact>
      </dl>
    </>
  )
}
