import { type Delivery, DeliveryState, retryDelivery } from '@ithings/contract/features/notify.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { App } from 'antd'
import { useState } from 'react'
import { allChannelsQuery } from '#blocks/channels-query.ts'
import type { RowAction } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { useMemo } from '#language/use-memo.ts'
import { type DeliveryFilters, deliveriesQuery, useRetryDelivery } from '../queries.ts'
import { deliveryColumns, deliveryFilters } from './delivery-columns.tsx'
import { DeliveryDetail } from './delivery-detail.tsx'

export function DeliveryList() {
  const { message } = App.useApp()
  const channels = useQuery(allChannelsQuery).data?.list
  const filters = useMemo(
    () =>
      deliveryFilters(
        channels && [
          ...channels.map(({ id, name }) => ({ value: id, label: name })),
          { value: 0, label: t('场景内填写') },
        ],
      ),
    [channels],
  )
  const retry = useRetryDelivery()
  const [shown, setShown] = useState<Delivery>()
  const [open, setOpen] = useState(false)
  const show = (delivery: Delivery) => {
    setShown(delivery)
    setOpen(true)
  }
  const again = (delivery: Delivery) =>
    retry.mutate(delivery.id, {
      onSuccess: () => {
        setOpen(false)
        void message.success(t('已重新排队发送'))
      },
    })
  const actions = (delivery: Delivery): RowAction[] => {
    const failed = delivery.state === DeliveryState.failed
    const hint = !failed
      ? t('只有失败的通知可以重发')
      : delivery.channelID === 0
        ? t('渠道已删除或地址写在场景中，不能重发')
        : undefined
    return [
      { key: 'view', label: t('查看'), onClick: () => show(delivery) },
      {
        key: 'retry',
        label: t('重发'),
        needs: retryDelivery,
        onClick: () => again(delivery),
        disabled: hint !== undefined,
        ...(hint && { hint }),
      },
    ]
  }
  return (
    <>
      <ListPage<Delivery, DeliveryFilters>
        embedded
        title={t('发送记录')}
        filters={filters}
        columns={deliveryColumns(show)}
        rowKey="id"
        storageKey="notify-deliveries"
        urlPrefix="log."
        query={({ page, filters: wanted }) => deliveriesQuery(page, wanted)}
        exportName={t('发送记录')}
        rowActions={actions}
        empty={{ title: t('这段时间没有发送记录'), text: t('场景和告警发出的每条通知都会记录在这里，保留 90 天。') }}
      />
      <DeliveryDetail
        delivery={shown}
        open={open}
        retrying={retry.isPending}
        onRetry={again}
        onClose={() => setOpen(false)}
      />
    </>
  )
}
