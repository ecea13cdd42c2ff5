import { ArrowLeftOutlined, SendOutlined } from '@ant-design/icons'
import { configTopic, createConfig, pushConfig } from '@ithings/contract/features/remote-config.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton, Tabs, Tooltip } from 'antd'
import { useState } from 'react'
import * as z from 'zod'
import { useLive, useLivePolling } from '#api/live.ts'
import { Copyable } from '#kit/copyable.tsx'
import { useMay } from '#kit/rights.tsx'
import { ErrorState } from '#kit/states/error-state.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { useUrlState } from '#kit/url-state.ts'
import type { Draft } from '../drafts.ts'
import { latestQuery, productQuery, pushChanges } from '../queries.ts'
import { DevicesTab } from './devices-tab.tsx'
import { EditTab } from './edit-tab.tsx'
import { PushDetail } from './push-detail.tsx'
import { PushDrawer } from './push-drawer.tsx'
import { PushesTab } from './pushes-tab.tsx'
import './remote-config.css'
import { VersionsTab } from './versions-tab.tsx'

const urlSchema = z.object({
  tab: z.enum(['edit', 'versions', 'pushes', 'devices']),
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

/** One product: its configuration, the versions of it, what was sent, and who has what. */
export function ConfigPane({ productID, draft, onDraft, onBack }: ConfigPaneProps) {
  const [{ tab, run, version }, setUrl] = useUrlState(urlSchema, urlDefaults)
  const may = useMay()
  const [pushing, setPushing] = useState(false)
  useLive(configTopic(productID), pushChanges)
  const refetchInterval = useLivePolling()
  const latest = useQuery({ ...latestQuery(productID), refetchInterval })
  const { data: product } = useQuery(productQuery(productID))
  // Alone on a phone it is the page; beside the list of products it is a part of it.
  const Heading = onBack ? 'h1' : 'h2'
  const back = onBack && <Button type="text" icon={<ArrowLeftOutlined />} aria-label="返回产品列表" onClick={onBack} />
  if (!latest.data) {
    return (
      <div className="list-card config-pane-wait">
        {back}
        {latest.isError ? (
          <ErrorState
            subject="远程配置"
            error={latest.error}
            retrying={latest.isFetching}
            onRetry={() => void latest.refetch()}
          />
        ) : (
          <Skeleton active paragraph={{ rows: 8 }} />
        )}
      </div>
    )
  }
  const newest = latest.data
  const none = newest.id === 0
  const push = () => setPushing(true)
  const mayPush = may(pushConfig)
  return (
    <div className="config-pane">
      <div className="list-card config-head">
        {back}
        <div className="grow shrink">
          <Heading>{product?.productName ?? productID}</Heading>
          <span className="meta">
            <Copyable text={productID} />
            {none ? (
              ' · 还没有配置'
            ) : (
              <>
                {' '}
                · 当前版本 {newest.id} · {newest.userName || '系统'} 提交于 <TimeText value={newest.createTime} />
              </>
            )}
          </span>
        </div>
        {mayPush && (
          <Tooltip title={none ? '先保存一个版本' : undefined}>
            <Button type={draft ? 'default' : 'primary'} icon={<SendOutlined />} disabled={none} onClick={push}>
              {draft && !none ? `下发已保存的版本 ${newest.id}` : '下发'}
            </Button>
          </Tooltip>
        )}
      </div>
      <Tabs
        activeKey={tab}
        destroyOnHidden
        onChange={(key) => setUrl({ tab: urlSchema.shape.tab.parse(key) }, { replace: true })}
        items={[
          {
            key: 'edit',
            label: may(createConfig) ? (draft ? '编辑 *' : '编辑') : '内容',
            children: <EditTab productID={productID} latest={newest} draft={draft} onDraft={onDraft} />,
          },
          {
            key: 'versions',
            label: '版本',
            children: (
              <VersionsTab
                productID={productID}
                latest={newest}
                asked={Number(version) || 0}
                onLeave={() => setUrl({ version: '' }, { replace: true })}
              />
            ),
          },
          {
            key: 'pushes',
            label: '下发记录',
            children: (
              <PushesTab
                productID={productID}
                onOpen={(runID) => setUrl({ run: runID })}
                onPush={none || !mayPush ? undefined : push}
              />
            ),
          },
          { key: 'devices', label: '设备', children: <DevicesTab productID={productID} /> },
        ]}
      />
      <PushDrawer
        productID={productID}
        productName={product?.productName ?? productID}
        latest={newest}
        hasDraft={draft !== undefined}
        open={pushing}
        onClose={() => setPushing(false)}
        onStarted={(runID) => {
          setPushing(false)
          setUrl({ tab: 'pushes', run: runID })
        }}
      />
      <PushDetail
        productID={productID}
        runID={run}
        open={run !== ''}
        onClose={() => setUrl({ run: '' }, { replace: true })}
      />
    </div>
  )
}
