import { ArrowLeftOutlined, SendOutlined } from '@ant-design/icons'
import {
  type ConfigDevice,
  type ConfigHeld,
  type ConfigVersion,
  configHeldLabels,
  configTopic,
  createConfig,
  pushConfig,
} from '@ithings/contract/features/remote-config.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Tabs, Tooltip } from 'antd'
import { useState } from 'react'
import * as z from 'zod'
import { useLive, useLivePolling } from '#api/live.ts'
import { Copyable } from '#kit/copyable.tsx'
import { RichText } from '#kit/rich-text.tsx'
import { useMay } from '#kit/rights.tsx'
import { Loaded } from '#kit/states/loaded.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { useUrlState } from '#kit/url-state.ts'
import type { Draft } from '../drafts.ts'
import { configDevicesQuery, latestQuery, productQuery, pushChanges } from '../queries.ts'
import { EditTab } from './edit-tab.tsx'
import { PushDetail } from './push-detail.tsx'
import { PushDrawer } from './push-drawer.tsx'
import { PushesTab } from './pushes-tab.tsx'
import './remote-config.css'
import { deviceColumn, none, presenceColumn, stateColumn, textColumn, timeColumn } from '#blocks/rollout/columns.tsx'
import { optionsOf } from '#blocks/rollout/words.ts'
import type { FilterField, ListColumn } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { heldLooks } from '../labels.ts'
import { VersionsTab } from './versions-tab.tsx'

const fields: FilterField[] = [
  { name: 'deviceName', label: '设备名称', control: 'text' },
  { name: 'held', label: '配置', control: 'select', options: optionsOf(configHeldLabels) },
]

interface Filters {
  deviceName?: string
  held?: ConfigHeld
}

const columnsOf = (productID: string): ListColumn<ConfigDevice>[] => [
  deviceColumn(productID),
  presenceColumn(t('设备状态'), { width: 104 }),
  stateColumn(heldLooks, ({ held }) => held, { key: 'held', title: t('配置'), width: 120, sorter: false }),
  textColumn('configID', t('版本'), ({ configID }) => configID, {
    width: 96,
    sorter: true,
    align: 'right',
    render: (_value, { configID }) => configID || none,
  }),
  timeColumn('deliveredTime', t('最近送达'), { mode: 'exact', width: 184, phone: 'meta' }),
]

/** screens.md 20 "Device view": which version each device got last, by a push or by asking. */
function DevicesTab({ productID }: { productID: string }) {
  const refetchInterval = useLivePolling()
  return (
    <ListPage<ConfigDevice, Filters>
      embedded
      title={t('设备的配置版本')}
      urlPrefix="d."
      filters={fields}
      columns={columnsOf(productID)}
      rowKey="deviceName"
      storageKey="config-devices"
      exportName={t('设备配置版本-{productID}', { productID })}
      query={({ page, filters }) => ({ ...configDevicesQuery({ productID, ...filters, page }), refetchInterval })}
      empty={{ title: t('产品里还没有设备') }}
    />
  )
}

const tabs = ['edit', 'versions', 'pushes', 'devices'] as const
const urlSchema = z.object({
  tab: z.enum(tabs),
  run: z.string(),
  version: z.string(),
})
const urlDefaults = { tab: 'edit', run: '', version: '' } as const

interface ConfigPaneProps {
  productID: string
  draft: Draft | undefined
  onDraft: (draft: Draft | undefined) => void
  /** On a phone: back to the products. */
  onBack: (() => void) | undefined
}

interface HeadProps extends Pick<ConfigPaneProps, 'productID' | 'draft' | 'onBack'> {
  name: string
  newest: ConfigVersion
  /** Undefined: this person may not. */
  onPush: (() => void) | undefined
}

const Back = ({ onBack }: Pick<ConfigPaneProps, 'onBack'>) =>
  onBack && <Button type="text" icon={<ArrowLeftOutlined />} aria-label={t('返回产品列表')} onClick={onBack} />

function Head({ productID, name, newest, draft, onBack, onPush }: HeadProps) {
  const none = newest.id === 0
  // Alone on a phone it is the page; beside the list of products it is a part of it.
  const Heading = onBack ? 'h1' : 'h2'
  return (
    <div className="list-card config-head pad-16 touch row gap-12">
      <Back onBack={onBack} />
      <div className="grow shrink">
        <Heading>{name}</Heading>
        <span className="meta">
          <Copyable text={productID} />
          {none ? (
            t(' · 还没有配置')
          ) : (
            <RichText
              text={t(' · 当前版本 {id} · {user} 提交于 <0/>', {
                id: newest.id,
                user: newest.userName || t('系统'),
              })}
              parts={[<TimeText key="time" value={newest.createTime} />]}
            />
          )}
        </span>
      </div>
      {onPush && (
        <Tooltip title={none ? t('先保存一个版本') : undefined}>
          <Button type={draft ? 'default' : 'primary'} icon={<SendOutlined />} disabled={none} onClick={onPush}>
            {draft && !none ? t('下发已保存的版本 {id}', { id: newest.id }) : t('下发')}
          </Button>
        </Tooltip>
      )}
    </div>
  )
}

/** One product: its configuration, the versions of it, what was sent, and who has what. */
export function ConfigPane(props: ConfigPaneProps) {
  const { productID, onBack } = props
  useLive(configTopic(productID), pushChanges)
  const refetchInterval = useLivePolling()
  const latest = useQuery({ ...latestQuery(productID), refetchInterval })
  if (latest.data) return <Pane {...props} newest={latest.data} />
  return (
    <div className="list-card config-pane-wait">
      <Back onBack={onBack} />
      <Loaded query={latest} subject={t('远程配置')}>
        {() => null}
      </Loaded>
    </div>
  )
}

function Pane({ newest, ...props }: ConfigPaneProps & { newest: ConfigVersion }) {
  const { productID, draft, onDraft } = props
  const [{ tab, run, version }, setUrl] = useUrlState(urlSchema, urlDefaults)
  const may = useMay()
  const [pushing, setPushing] = useState(false)
  const name = useQuery(productQuery(productID)).data?.productName ?? productID
  const push = may(pushConfig) ? () => setPushing(true) : undefined
  const leave = { replace: true }
  const contents = {
    edit: <EditTab productID={productID} latest={newest} draft={draft} onDraft={onDraft} />,
    versions: (
      <VersionsTab
        productID={productID}
        latest={newest}
        asked={Number(version) || 0}
        onLeave={() => setUrl({ version: '' }, leave)}
      />
    ),
    pushes: (
      <PushesTab
        productID={productID}
        onOpen={(runID) => setUrl({ run: runID })}
        onPush={newest.id === 0 ? undefined : push}
      />
    ),
    devices: <DevicesTab productID={productID} />,
  }
  const labels = {
    edit: may(createConfig) ? (draft ? t('编辑 *') : t('编辑')) : t('内容'),
    versions: t('版本', { context: 'list' }),
    pushes: t('下发记录', { context: 'config' }),
    devices: t('设备', { context: 'list' }),
  }
  return (
    <div className="config-pane">
      <Head {...props} name={name} newest={newest} onPush={push} />
      <Tabs
        activeKey={tab}
        destroyOnHidden
        onChange={(key) => setUrl({ tab: urlSchema.shape.tab.parse(key) }, leave)}
        items={tabs.map((key) => ({ key, label: labels[key], children: contents[key] }))}
      />
      <PushDrawer
        productID={productID}
        productName={name}
        latest={newest}
        hasDraft={draft !== undefined}
        open={pushing}
        onClose={() => setPushing(false)}
        onStarted={(runID) => {
          setPushing(false)
          setUrl({ tab: 'pushes', run: runID })
        }}
      />
      <PushDetail productID={productID} runID={run} onClose={() => setUrl({ run: '' }, leave)} />
    </div>
  )
}
