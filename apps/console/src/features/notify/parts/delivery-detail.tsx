import { RedoOutlined } from '@ant-design/icons'
import { type Delivery, DeliveryState, retryDelivery } from '@ithings/contract/features/notify.ts'
import { t } from '@ithings/contract/text.ts'
import { Latency } from '#blocks/channel-form/test-result.tsx'
import { DeviceLink } from '#blocks/device-link.tsx'
import { type Fact, FactList } from '#blocks/facts.tsx'
import { Copyable } from '#kit/copyable.tsx'
import { ActButton } from '#kit/rights.tsx'
import { SideDrawer } from '#kit/side-drawer.tsx'
import { StatusTag } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { deliveryLooks } from '../labels.ts'
import { channelText, sourceText } from './delivery-columns.tsx'

interface DeliveryDetailProps extends Opened {
  delivery: Delivery | undefined
  retrying: boolean
  onRetry: (delivery: Delivery) => void
}

const factsOf = (delivery: Delivery): (Fact | false)[] => [
  { label: t('渠道'), value: channelText(delivery) },
  {
    label: t('发往'),
    value: delivery.target ? <Copyable text={delivery.target} /> : <span className="no-value">—</span>,
  },
  { label: t('来源'), value: sourceText(delivery) },
  delivery.deviceName !== '' && { label: t('设备'), value: <DeviceLink device={delivery} /> },
  { label: t('产生时间'), value: <TimeText value={delivery.createdTime} mode="log" /> },
  { label: t('送达时间'), value: <TimeText value={delivery.sentTime} mode="log" /> },
  delivery.nextTime > 0 && { label: t('下次尝试'), value: <TimeText value={delivery.nextTime} mode="exact" /> },
  { label: t('尝试次数'), value: delivery.attempts },
  delivery.code > 0 && { label: t('应答码'), value: <span className="mono">{delivery.code}</span> },
  { label: t('通知编号'), value: <Copyable text={delivery.id} /> },
]

export function DeliveryDetail({ delivery, retrying, onRetry, ...opened }: DeliveryDetailProps) {
  const retry = delivery?.state === DeliveryState.failed && delivery.channelID > 0 && (
    <ActButton needs={retryDelivery} icon={<RedoOutlined />} loading={retrying} onClick={() => onRetry(delivery)}>
      {t('重发')}
    </ActButton>
  )
  return (
    <SideDrawer {...opened} title={t('通知详情')} width={560} keep extra={retry || null}>
      {delivery && (
        <div className="sections">
          <div className="inline-row gap-8">
            <StatusTag filled looks={deliveryLooks} value={delivery.state} />
            {delivery.attempts > 0 && <Latency ms={delivery.latency} />}
          </div>
          {delivery.error && (
            <p
              className={
                delivery.state === DeliveryState.sent
                  ? 'above-8 bare anywhere meta'
                  : 'above-8 bare anywhere error-text'
              }
            >
              {delivery.error}
            </p>
          )}
          <h3>{t('内容')}</h3>
          <div className="delivery-message anywhere boxed pad-12-16">
            <b>{delivery.title}</b>
            {delivery.content && <p>{delivery.content}</p>}
          </div>
          <h3>{t('经过')}</h3>
          <FactList facts={factsOf(delivery)} />
        </div>
      )}
    </SideDrawer>
  )
}
