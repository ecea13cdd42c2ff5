import { DownOutlined, UpOutlined } from '@ant-design/icons'
import type { OperationLog } from '@ithings/contract/features/logs.ts'
import { t } from '@ithings/contract/text.ts'
import { Button, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { BusinessTypeTag } from '#blocks/business-type.tsx'
import { type Fact, FactList } from '#blocks/facts.tsx'
import { Copyable } from '#kit/copyable.tsx'
import { JsonView } from '#kit/json-view.tsx'
import { SideDrawer } from '#kit/side-drawer.tsx'
import { StatusTag } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { isSuccess, resultLook } from '../labels.ts'
import type { Neighbours } from '../log-neighbours.ts'
import { Duration } from './duration.tsx'

interface OperationLogDetailProps extends Opened {
  log: OperationLog | undefined
  neighbours: Neighbours<OperationLog> | undefined
  onShow: (log: OperationLog) => void
}

function Steps({ neighbours, onShow }: Pick<OperationLogDetailProps, 'neighbours' | 'onShow'>) {
  if (!neighbours) return null
  const { previous, next, position, count } = neighbours
  const step = (label: string, icon: ReactNode, to: OperationLog | undefined, edge: string) => (
    <Tooltip title={to ? label : edge}>
      <Button type="text" icon={icon} aria-label={label} disabled={!to} onClick={() => to && onShow(to)} />
    </Tooltip>
  )
  return (
    <span className="inline-row gap-4">
      <span className="meta">{t('本页第 {position} / {count} 条', { position, count })}</span>
      {step(t('上一条'), <UpOutlined />, previous, t('已是本页第一条'))}
      {step(t('下一条'), <DownOutlined />, next, t('已是本页最后一条'))}
    </span>
  )
}

const withMeta = (value: ReactNode, meta: string) => (
  <>
    {value}
    {meta && <span className="meta">　{meta}</span>}
  </>
)

const factsOf = (log: OperationLog): (Fact | false)[] => [
  { label: t('操作人员'), value: withMeta(log.operUserName, `id ${log.userID}`) },
  { label: t('操作 IP'), value: withMeta(<Copyable text={log.operIpAddr} />, log.operLocation) },
  { label: t('操作时间'), value: <TimeText value={log.createdTime} mode="exact" /> },
  { label: t('请求地址'), value: <Copyable text={log.uri} /> },
  { label: t('请求编号'), value: <Copyable text={log.requestID} /> },
  !isSuccess(log.code) && { label: t('失败原因'), value: t('{msg}（{code}）', { msg: log.msg, code: log.code }) },
]

/** One operation with its request and answer; secrets were masked before they were stored. */
export function OperationLogDetail({ log, neighbours, onShow, ...opened }: OperationLogDetailProps) {
  return (
    <SideDrawer
      {...opened}
      title={t('操作详情')}
      width={720}
      keep
      extra={<Steps neighbours={neighbours} onShow={onShow} />}
    >
      {log && (
        <div className="sections" key={log.id}>
          <div className="gap-4-12 row wrap">
            <b>{log.operName}</b>
            <BusinessTypeTag value={log.businessType} />
            <StatusTag filled {...resultLook(log.code)} />
            <Duration ms={log.duration} />
          </div>
          <h3>{t('登录信息')}</h3>
          <FactList facts={factsOf(log)} />
          <h3>{t('请求参数')}</h3>
          <JsonView value={log.req} fileName={`request-${log.id}.json`} />
          <h3>{t('返回参数')}</h3>
          <JsonView value={log.resp} fileName={`response-${log.id}.json`} />
          <p className="meta">{t('密码、密钥和令牌在写入日志前已隐去。')}</p>
        </div>
      )}
    </SideDrawer>
  )
}
