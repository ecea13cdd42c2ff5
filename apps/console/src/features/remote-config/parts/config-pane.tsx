import { ArrowLeftOutlined, SendOutlined } from '@ant-design/icons'
import { type ConfigVersion, configTopic, createConfig, pushConfig } from '@ithings/contract/features/remote-config.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton, Tabs, Tooltip } from 'antd'
import { lazy, Suspense, useState } from 'react'
import * as z from 'zod'
import { useLive, useLivePolling } from '#api/live.ts'
import { Copyable } from '#kit/copyable.tsx'
import { RichText } from '#kit/rich-text.tsx'
import { useMay } from '#kit/rights.tsx'
import { Loaded } from '#kit/states/loaded.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { useUrlState } from '#kit/url-state.ts'
import { WhenOpened } from '#kit/when-opened.tsx'
import type { Draft } from '../drafts.ts'
import { latestQuery, productQuery, pushChanges } from '../queries.ts'
import { EditTab } from './edit-tab.tsx'
import './remote-config.css'

// Behind their tabs and buttons: the page does not wait for them.
const DevicesTab = lazy(async () => ({ default: (await import('./devices-tab.tsx')).DevicesTab }))
const PushDetail = lazy(async () => ({ default: (await import('./push-detail.tsx')).PushDetail }))
const PushDrawer = lazy(async () => ({ default: (await import('./push-drawer.tsx')).PushDrawer }))
const PushesTab = lazy(async () => ({ default: (await import('./pushes-tab.tsx')).PushesTab }))
const VersionsTab = lazy(async () => ({ default: (await import('./versions-tab.tsx')).VersionsTab }))

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
        items={tabs.map((key) => ({
          key,
          label: labels[key],
          children: <Suspense fallback={<Skeleton active paragraph={{ rows: 8 }} />}>{contents[key]}</Suspense>,
        }))}
      />
      <WhenOpened open={pushing}>
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
      </WhenOpened>
      <WhenOpened open={run !== ''}>
        <PushDetail productID={productID} runID={run} onClose={() => setUrl({ run: '' }, leave)} />
      </WhenOpened>
    </div>
  )
}
