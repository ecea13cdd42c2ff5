import { type ConfigVersion, restoreConfig } from '@ithings/contract/features/remote-config.ts'
import { useQuery } from '@tanstack/react-query'
import { App, Input } from 'antd'
import { useState } from 'react'
import { useConfirm } from '#kit/confirm.tsx'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { StatusTag } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { useConfigWork, versionsQuery } from '../queries.ts'
import { DiffDrawer } from './diff-drawer.tsx'
import { VersionDrawer } from './version-drawer.tsx'
import './editing.css'

interface VersionsTabProps {
  productID: string
  latest: ConfigVersion
  /** A link led to this one: it is open at first. */
  asked: number
  onLeave: () => void
}

const columnsOf = (newest: number): ListColumn<ConfigVersion>[] => [
  {
    key: 'id',
    title: '编号',
    width: 120,
    sorter: true,
    hideable: false,
    phone: 'title',
    render: (_value, { id }) => (
      <span className="inline-row gap-8">
        {id} {id === newest && <StatusTag filled text="当前" tone="success" />}
      </span>
    ),
  },
  {
    key: 'note',
    title: '说明',
    dataIndex: 'note',
    truncate: 320,
    phone: 'subtitle',
    render: (_value, { note }) => note || <span className="no-value">—</span>,
  },
  {
    key: 'bytes',
    title: '大小',
    width: 112,
    sorter: true,
    align: 'right',
    phone: 'meta',
    render: (_value, { bytes }) => `${bytes.toLocaleString()} 字节`,
  },
  { key: 'userName', title: '提交人', dataIndex: 'userName', width: 144, phone: 'meta' },
  {
    key: 'createTime',
    title: '提交时间',
    width: 184,
    sorter: true,
    phone: 'meta',
    render: (_value, { createTime }) => <TimeText value={createTime} mode="exact" />,
  },
]

type Looked = { version: ConfigVersion; how: 'view' | 'compare'; open: boolean }

export function VersionsTab({ productID, latest, asked, onLeave }: VersionsTabProps) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const work = useConfigWork(productID)
  const [chosen, setLooked] = useState<Looked>()
  const found = useQuery({ ...versionsQuery({ productID, configID: asked }), enabled: asked > 0 }).data?.list[0]
  const looked = chosen ?? (found && { version: found, how: 'view', open: true })
  const close = () => {
    setLooked(looked && { ...looked, open: false })
    if (asked > 0) onLeave()
  }
  const restore = (version: ConfigVersion) => {
    let note = ''
    confirm({
      title: `把版本 ${version.id} 恢复为新版本？`,
      content: (
        <>
          内容会另存为一个新版本并成为当前版本，版本 {latest.id} 仍留在记录里。设备要等下发或主动请求时才会收到。
          <Input
            className="config-restore-note"
            aria-label="恢复的版本说明"
            maxLength={100}
            placeholder={`说明，默认「恢复自版本 ${version.id}」`}
            onChange={(event) => {
              note = event.target.value.trim()
            }}
          />
        </>
      ),
      okText: '恢复',
      onOk: async () => {
        const { id } = await work.restore(version.id, note || undefined)
        close()
        void message.success(`已恢复为版本 ${id}，下发后设备才会收到`)
      },
    })
  }
  return (
    <>
      <ListPage<ConfigVersion>
        embedded
        title="配置版本"
        urlPrefix="v."
        columns={columnsOf(latest.id)}
        rowKey={({ id }) => String(id)}
        storageKey="config-versions"
        query={({ page }) => versionsQuery({ productID, page })}
        rowActions={(version) => [
          { key: 'view', label: '查看', onClick: () => setLooked({ version, how: 'view', open: true }) },
          {
            key: 'compare',
            label: '对比',
            disabled: version.id === latest.id,
            ...(version.id === latest.id && { hint: '这就是当前版本' }),
            onClick: () => setLooked({ version, how: 'compare', open: true }),
          },
          {
            key: 'restore',
            label: '恢复',
            needs: restoreConfig,
            disabled: version.id === latest.id,
            ...(version.id === latest.id && { hint: '这就是当前版本' }),
            onClick: () => restore(version),
          },
        ]}
        empty={{ title: '还没有版本', text: '在「编辑」里写好配置并保存，每次保存都会留下一个版本。' }}
      />
      {looked?.how === 'view' && (
        <VersionDrawer
          version={looked.version}
          productID={productID}
          open={looked.open}
          onClose={close}
          onRestore={looked.version.id === latest.id ? undefined : () => restore(looked.version)}
        />
      )}
      {looked?.how === 'compare' && (
        <DiffDrawer
          open={looked.open}
          onClose={close}
          title={`版本 ${looked.version.id} 与当前版本 ${latest.id} 的差异`}
          before={{ label: `版本 ${looked.version.id}`, text: looked.version.content }}
          after={{ label: `当前版本 ${latest.id}`, text: latest.content }}
        />
      )}
    </>
  )
}
