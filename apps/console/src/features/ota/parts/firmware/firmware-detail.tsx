import { DownloadOutlined, SafetyCertificateOutlined } from '@ant-design/icons'
import type { DataOf } from '@ithings/contract/endpoint.ts'
import { firmwareModuleLabels, packageKindLabels, type readFirmware } from '@ithings/contract/features/ota/firmware.ts'
import { createOtaTask } from '@ithings/contract/features/ota/task.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Descriptions } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { ProductLink } from '#blocks/rollout/columns.tsx'
import { Copyable } from '#kit/copyable.tsx'
import { JsonView } from '#kit/json-view.tsx'
import { firmwareTasksPath, newUpgradePath } from '#kit/paths.ts'
import { May } from '#kit/rights.tsx'
import { SideDrawer } from '#kit/side-drawer.tsx'
import { sizeText } from '#kit/size-text.ts'
import { Loaded } from '#kit/states/loaded.tsx'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { signMethodText } from '../../labels.ts'
import { firmwareQuery } from '../../queries.ts'
import { useDownload } from './use-download.ts'
import { VersionChart, VersionExport } from './version-chart.tsx'

type Detail = DataOf<typeof readFirmware>
type StoredFile = Detail['files'][number]

function FileCard({ file, onDownload }: { file: StoredFile; onDownload: () => void }) {
  return (
    <li className="pad-8-12 boxed column gap-4">
      <div className="row gap-8">
        <b className="cut">{file.name}</b>
        <span className="meta">{sizeText(file.size)}</span>
        {file.signed && (
          <span className="nowrap small" style={{ color: 'var(--ok)' }}>
            <SafetyCertificateOutlined aria-hidden="true" /> {t('签名已验证')}
          </span>
        )}
        <Button className="to-end" type="link" size="small" icon={<DownloadOutlined />} onClick={onDownload}>
          {t('下载')}
        </Button>
      </div>
      {(['sha256', 'md5'] as const).map((method) => (
        <div key={method} className="firmware-hash flex small quiet gap-8">
          <span>{signMethodText(method)}</span>
          <Copyable text={file[method]} maxWidth={430} />
        </div>
      ))}
    </li>
  )
}

const Section = ({ title, extra, children }: { title: string; extra?: ReactNode; children: ReactNode }) => (
  <section className="firmware-section">
    <header className="row gap-12">
      <h3 className="subtitle">{title}</h3>
      {extra}
    </header>
    {children}
  </section>
)

const factsOf = (one: Detail) => [
  { key: 'product', label: t('所属产品'), children: <ProductLink of={one} /> },
  { key: 'module', label: t('模块'), children: labelOf(firmwareModuleLabels, one.module) },
  { key: 'version', label: t('版本号'), children: <Copyable text={one.version} /> },
  {
    key: 'isDiff',
    label: t('包类型'),
    children: one.srcVersion
      ? t('{kind}，用于 {version}', { kind: labelOf(packageKindLabels, one.isDiff), version: one.srcVersion })
      : labelOf(packageKindLabels, one.isDiff),
  },
  { key: 'sign', label: t('签名方式'), children: signMethodText(one.signMethod) },
  {
    key: 'size',
    label: t('大小'),
    children: t('{count} 个文件，{size}', { count: one.fileCount, size: sizeText(one.size) }),
  },
  { key: 'user', label: t('创建人'), children: one.userName || '—' },
  { key: 'time', label: t('创建时间'), children: <TimeText value={one.createdTime} mode="exact" /> },
  { key: 'desc', label: t('说明'), span: 'filled' as const, children: one.desc || '—' },
]

function Body({ one }: { one: Detail }) {
  const download = useDownload()
  return (
    <>
      <Descriptions size="small" column={{ xs: 1, sm: 2 }} items={factsOf(one)} />
      <Section title={t('文件')}>
        <ul className="bare-list column gap-8">
          {one.files.map((file) => (
            <FileCard key={file.name} file={file} onDownload={() => void download(one.firmwareID, [file.name])} />
          ))}
        </ul>
      </Section>
      <Section title={t('设备的版本分布')} extra={<VersionExport firmwareID={one.firmwareID} />}>
        <VersionChart firmwareID={one.firmwareID} version={one.version} />
      </Section>
      <Section
        title={t('使用情况')}
        extra={
          one.openTaskCount > 0 && (
            <StatusTag filled text={t('{count} 个进行中', { count: one.openTaskCount })} tone="processing" />
          )
        }
      >
        {one.taskCount === 0 ? (
          <p className="meta">{t('还没有升级任务使用它。')}</p>
        ) : (
          <Link to={firmwareTasksPath(one)}>{t('查看它的 {count, number} 个升级任务', { count: one.taskCount })}</Link>
        )}
      </Section>
      {one.extData && (
        <Section title={t('自定义数据')}>
          <JsonView value={one.extData} />
        </Section>
      )}
    </>
  )
}

/** screens.md 21, page mode 3 详情. */
export function FirmwareDetail({ firmwareID, open, onClose }: Opened & { firmwareID: number | undefined }) {
  const query = useQuery({ ...firmwareQuery(firmwareID ?? 0), enabled: open && firmwareID !== undefined })
  const { data } = query
  return (
    <SideDrawer
      title={data ? `${data.name} ${data.version}` : t('固件包')}
      open={open}
      onClose={onClose}
      width={640}
      keep
      extra={
        data && (
          <May needs={createOtaTask}>
            <Link to={newUpgradePath(data.firmwareID)}>
              <Button type="primary">{t('升级设备')}</Button>
            </Link>
          </May>
        )
      }
    >
      <Loaded query={query} subject={t('固件包')}>
        {(one) => <Body one={one} />}
      </Loaded>
    </SideDrawer>
  )
}
