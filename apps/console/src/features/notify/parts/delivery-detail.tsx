import { RedoOutlined } from '@ant-design/icons'
import { type Delivery, DeliveryState, retryDelivery } from '@ithings/contract/features/notify.ts'
import { t } from '@ithings/contract/text.ts'
import { Button } from 'antd'
import { Latency } from '#blocks/channel-form/test-result.tsx'
import { DeviceLink } from '#blocks/device-link.tsx'
import { Copyable } from '#kit/copyable.tsx'
import { May } from '#kit/rights.tsx'
import { SideDrawer } from '#kit/side-drawer.tsx'
import { StatusTag } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { deliveryLooks } from '../labels.ts'
import { channelText, sourceText } from './delivery-columns.tsx'

interface DeliveryDetailProps {
  delivery: Delivery | undefined
  open: boolean
  retrying: boolean
  onRetry: (delivery: Delivery) => void
  onClose: () => void
}

function Facts({ delivery }: { delivery: Delivery }) {
  return (
    <dl className="fact-list">
      <dt>{t('渠道')}</dt>
      <dd>{channelText(delivery)}</dd>
      <dt>{t('发往')}</dt>
      <dd>{delivery.target ? <Copyable text={delivery.target} /> : <span className="no-value">—</span>}</dd>
      <dt>{t('来源')}</dt>
      <dd>{sourceText(delivery)}</dd>
      {delivery.deviceName && (
        <>
          <dt>{t('设备')}</dt>
          <dd>
            <DeviceLink device={delivery} />
          </dd>
        </>
      )}
      <dt>{t('产生时间')}</dt>
      <dd>
        <TimeText value={delivery.createdTime} mode="log" />
      </dd>
      <dt>{t('送达时间')}</dt>
      <dd>
        <TimeText value={delivery.sentTime} mode="log" />
      </dd>
      {delivery.nextTime > 0 && (
        <>
          <dt>{t('下次尝试')}</dt>
          <dd>
            <TimeText value={delivery.nextTime} mode="exact" />
          </dd>
        </>
      )}
      <dt>{t('尝试次数')}</dt>
      <dd>{delivery.attempts}</dd>
      {delivery.code > 0 && (
        <>
          <dt>{t('应答码')}</dt>
          <dd className="mono">{delivery.code}</dd>
        </>
      )}
      <dt>{t('通知编号')}</dt>
      <dd>
        <Copyable text={delivery.id} />
      </dd>
    </dl>
  )
}

export function DeliveryDetail({ delivery, open, retrying, onRetry, onClose }: DeliveryDetailProps) {
  const retry = delivery?.state === DeliveryState.failed && delivery.channelID > 0 && (
    <May needs={retryDelivery}>
      <Button icon={<RedoOutlined />} loading={retrying} onClick={() => onRetry(delivery)}>
        {t('重发')}
      </Button>
    </May>
  )
  return (
    <SideDrawer title={t('通知详情')} open={open} onClose={onClose} width={560} keep extra={retry || null}>
      {delivery && (
        <div className="sections">
          <div className="inline-row gap-8">
            <StatusTag filled looks={deliveryLooks} value={delivery.state} />
            {delivery.attempts > 0 && <Latency ms={delivery.latency} />}
          </div>
          {delivery.error && (
            <p
              className={
                delivery.state === DeliveryState.sent ? 'delivery-reason meta' : 'delivery-reason delivery-error-text'
              }
            >
              {delivery.error}
            </p>
          )}
          <h3>{t('内容')}</h3>
          <div className="delivery-message">
            <b>{delivery.title}</b>
            {delivery.content && <p>{delivery.content}</p>}
          </div>
          <h3>{t('经过')}</h3>
          <Facts delivery={delivery} />
        </div>
      )}
    </SideDrawer>
  )
}
