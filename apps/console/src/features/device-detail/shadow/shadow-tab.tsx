import { deleteShadow } from '@ithings/contract/features/commands.ts'
import { type Device, OnlineState } from '@ithings/contract/features/devices/info.ts'
import { updateSchema } from '@ithings/contract/features/thing-model.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { deviceTitle } from '#blocks/device/labels.ts'
import { useConfirm } from '#kit/confirm.tsx'
import { JsonView } from '#kit/json-view.tsx'
import { ActButton, May } from '#kit/rights.tsx'
import { Loaded, Stale } from '#kit/states/loaded.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { useDialog } from '#kit/use-dialog.ts'
import { Card } from '../card.tsx'
import { latestQuery, shadowQuery, useClearShadow } from '../live-queries.ts'
import { ModelGate } from '../model-gate.tsx'
import { DesiredModal } from './desired-modal.tsx'
import './shadow.css'
import { productPath } from '#kit/paths.ts'
import { type ShadowLine, shadowDocument, shadowLines } from './shadow-rows.ts'
import { ShadowTable } from './shadow-table.tsx'

function useClear(device: Device) {
  const confirm = useConfirm()
  const { mutateAsync } = useClearShadow(device)
  return (lines: readonly ShadowLine[]) =>
    confirm({
      title:
        lines.length === 1
          ? t('清除「{name}」的期望值？', { name: lines[0]?.property.name })
          : t('清除 {count} 个期望值？', { count: lines.length }),
      content: t('还没有被设备取走的期望值不会再下发；设备「{name}」已上报的值不变。', {
        name: deviceTitle(device),
      }),
      danger: true,
      okText: t('清除'),
      onOk: () => mutateAsync(lines.map(({ property }) => property.identifier)),
      done: t('清除成功'),
    })
}

const NoShadow = ({ productID }: { productID: string }) => (
  <StateBlock
    variant="empty"
    title={t('没有属性启用设备影子')}
    text={t(
      '影子为离线的设备保存期望值，设备上线后取走。在产品的物模型里编辑属性，打开「设备影子」后，它会出现在这里。',
    )}
    action={
      <May needs={updateSchema}>
        <Link to={productPath(productID, 'model')}>
          <Button type="primary">{t('去物模型启用')}</Button>
        </Link>
      </May>
    }
  />
)

function Shadow({ device, lines }: { device: Device; lines: readonly ShadowLine[] }) {
  const [view, setView] = useState<'table' | 'json'>('table')
  const desired = useDialog<ShadowLine>()
  const latest = useQuery(latestQuery(device))
  const shadow = useQuery(shadowQuery(device))
  const clear = useClear(device)
  const wished = lines.filter(({ desired }) => desired !== undefined)
  const waiting = lines.filter(({ state }) => state === 'waiting').length
  const online = device.isOnline === OnlineState.online
  return (
    <Card
      title={t('设备影子')}
      note={
        waiting > 0
          ? t(
              online
                ? '{count} 个期望值待同步，设备下次读取状态时取走'
                : '{count} 个期望值待同步，设备上线后读取状态时取走',
              { count: waiting },
            )
          : t('离线时也能设置期望值，设备上线后自己来取')
      }
      extra={
        <>
          <Segmented
            aria-label={t('显示方式')}
            value={view}
            options={[
              { value: 'table', label: t('表格') },
              { value: 'json', label: 'JSON' },
            ]}
            onChange={setView}
          />
          <ActButton needs={deleteShadow} disabled={wished.length === 0} onClick={() => clear(wished)}>
            {t('清除全部')}
          </ActButton>
        </>
      }
    >
      <Stale query={shadow.isError ? shadow : latest} />
      {view === 'json' ? (
        <JsonView
          value={shadowDocument(lines)}
          fileName={`${device.deviceName}-shadow.json`}
          maxHeight={560}
          openLevels={3}
        />
      ) : (
        <ShadowTable lines={lines} onSet={desired.show} onClear={(line) => clear([line])} />
      )}
      {desired.about && (
        <DesiredModal
          key={desired.session}
          device={device}
          line={desired.about}
          open={desired.open}
          onClose={desired.close}
        />
      )}
    </Card>
  )
}

/** screens.md 6.8: reported, desired and what is still apart. */
export function ShadowTab({ device }: { device: Device }) {
  const latest = useQuery(latestQuery(device))
  const shadow = useQuery(shadowQuery(device))
  return (
    <ModelGate productID={device.productID}>
      {(model) => (
        <Loaded query={shadow} subject={t('设备影子')}>
          {({ list: wishes }) => (
            <Loaded query={latest} subject={t('设备影子')}>
              {({ list }) => {
                const lines = shadowLines(model, list, wishes)
                return lines.length === 0 ? (
                  <NoShadow productID={device.productID} />
                ) : (
                  <Shadow device={device} lines={lines} />
                )
              }}
            </Loaded>
          )}
        </Loaded>
      )}
    </ModelGate>
  )
}
