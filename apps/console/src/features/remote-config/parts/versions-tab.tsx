import { CopyOutlined, DownloadOutlined } from '@ant-design/icons'
import { type ConfigVersion, restoreConfig } from '@ithings/contract/features/remote-config.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { none, textColumn, timeColumn } from '#blocks/rollout/columns.tsx'
import { useActs } from '#blocks/rollout/use-acts.ts'
import { CodeEditor } from '#kit/code-editor.tsx'
import { useCopy } from '#kit/copyable.tsx'
import { downloadText } from '#kit/download.ts'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { RichText } from '#kit/rich-text.tsx'
import { ActButton } from '#kit/rights.tsx'
import { SideDrawer } from '#kit/side-drawer.tsx'
import { StatusTag } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { usePhone } from '#kit/use-phone.ts'
import { useVersionSend, versionsQuery } from '../queries.ts'
import { DiffDrawer } from './diff-drawer.tsx'
import './editing.css'

const columnsOf = (newest: number): ListColumn<ConfigVersion>[] => [
  {
    key: 'id',
    title: t('编号'),
    width: 120,
    sorter: true,
    hideable: false,
    phone: 'title',
    render: (_value, { id }) => (
      <span className="inline-row gap-8">
        {id} {id === newest && <StatusTag filled text={t('当前')} tone="success" />}
      </span>
    ),
  },
  {
    key: 'note',
    title: t('说明'),
    dataIndex: 'note',
    truncate: 320,
    phone: 'subtitle',
    render: (_value, { note }) => note || none,
  },
  textColumn('bytes', t('大小'), ({ bytes }) => t('{count, number} 字节', { count: bytes }), {
    width: 112,
    sorter: true,
    align: 'right',
  }),
  { key: 'userName', title: t('提交人'), dataIndex: 'userName', width: 144, phone: 'meta' },
  timeColumn('createTime', t('提交时间'), { mode: 'exact', width: 184, phone: 'meta' }),
]

interface VersionDrawerProps extends Opened {
  version: ConfigVersion
  productID: string
  onRestore: (() => void) | undefined
}

function VersionDrawer({ version, productID, onRestore, ...opened }: VersionDrawerProps) {
  const phone = usePhone()
  const [, copy] = useCopy()
  const { id, content, note, bytes, userName, createTime } = version
  return (
    <SideDrawer
      {...opened}
      title={t('版本 {id}', { id })}
      width={720}
      footer={
        <div className="form-buttons">
          <span className="form-footer-extra" />
          <Button icon={<CopyOutlined />} onClick={() => copy(content)}>
            {t('复制')}
          </Button>
          <Button icon={<DownloadOutlined />} onClick={() => downloadText(content, `config-${productID}-${id}.json`)}>
            {t('下载')}
          </Button>
          {onRestore && (
            <ActButton needs={restoreConfig} type="primary" onClick={onRestore}>
              {t('恢复至此版本')}
            </ActButton>
          )}
        </div>
      }
    >
      <p className="meta">
        <RichText
          text={t('{user} 提交于 <0/> · {count, number} 字节', { user: userName || t('系统'), count: bytes })}
          parts={[<TimeText key="time" value={createTime} mode="exact" />]}
        />
        {note && ` · ${note}`}
      </p>
      <CodeEditor
        language="json"
        readOnly
        aria-label={t('版本 {id} 的内容', { id })}
        height={phone ? 420 : 560}
        value={content}
      />
    </SideDrawer>
  )
}

/** Asks for a note, then saves the content of an older version as a new one. */
function useRestore(productID: string, latest: ConfigVersion, then: () => void) {
  const { ask } = useActs()
  const send = useVersionSend()
  return ({ id }: ConfigVersion) => {
    const standard = t('恢复自版本 {id}', { id })
    let note = ''
    const restore = async () => {
      const restored = await send(restoreConfig, { productID, id, ...(note && { note }) })
      then()
      return restored
    }
    ask({
      title: t('把版本 {id} 恢复为新版本？', { id }),
      content: (
        <>
          {t('内容会另存为一个新版本并成为当前版本，版本 {id} 仍留在记录里。设备要等下发或主动请求时才会收到。', {
            id: latest.id,
          })}
          <Input
            className="above-12"
            aria-label={t('恢复的版本说明')}
            maxLength={100}
            placeholder={t('说明，默认「{note}」', { note: standard })}
            onChange={(event) => {
              note = event.target.value.trim()
            }}
          />
        </>
      ),
      okText: t('恢复', { context: 'version' }),
      work: restore,
      done: (restored) => t('已恢复为版本 {id}，下发后设备才会收到', { id: restored.id }),
    })
  }
}

interface VersionsTabProps {
  productID: string
  latest: ConfigVersion
  /** A link led to this one: it is open at first. */
  asked: number
  onLeave: () => void
}

type Looked = { version: ConfigVersion; how: 'view' | 'compare'; open: boolean }

export function VersionsTab({ productID, latest, asked, onLeave }: VersionsTabProps) {
  const [chosen, setLooked] = useState<Looked>()
  const found = useQuery({ ...versionsQuery({ productID, configID: asked }), enabled: asked > 0 }).data?.list[0]
  const looked = chosen ?? (found && { version: found, how: 'view', open: true })
  const close = () => {
    setLooked(looked && { ...looked, open: false })
    if (asked > 0) onLeave()
  }
  const restore = useRestore(productID, latest, close)
  const refused = ({ id }: ConfigVersion) => (id === latest.id ? { disabled: true, hint: t('这就是当前版本') } : {})
  const show = (version: ConfigVersion, how: Looked['how']) => setLooked({ version, how, open: true })
  return (
    <>
      <ListPage<ConfigVersion>
        embedded
        title={t('配置版本')}
        exportName={t('配置版本')}
        urlPrefix="v."
        columns={columnsOf(latest.id)}
        rowKey={({ id }) => String(id)}
        storageKey="config-versions"
        query={({ page }) => versionsQuery({ productID, page })}
        rowActions={(one) => [
          { key: 'view', label: t('查看'), onClick: () => show(one, 'view') },
          { key: 'compare', label: t('对比'), onClick: () => show(one, 'compare'), ...refused(one) },
          {
            key: 'restore',
            label: t('恢复', { context: 'version' }),
            needs: restoreConfig,
            onClick: () => restore(one),
            ...refused(one),
          },
        ]}
        empty={{ title: t('还没有版本'), text: t('在「编辑」里写好配置并保存，每次保存都会留下一个版本。') }}
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
          title={t('版本 {id} 与当前版本 {current} 的差异', { id: looked.version.id, current: latest.id })}
          before={{ label: t('版本 {id}', { id: looked.version.id }), text: looked.version.content }}
          after={{ label: t('当前版本 {id}', { id: latest.id }), text: latest.content }}
        />
      )}
    </>
  )
}
