import {
  CaretRightOutlined,
  CheckCircleFilled,
  CloseOutlined,
  FileZipOutlined,
  InboxOutlined,
  PauseOutlined,
  RedoOutlined,
} from '@ant-design/icons'
import { firmwareLimits } from '@ithings/contract/features/ota/firmware.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, Button, Input, Progress, Tooltip, Upload } from 'antd'
import { Copyable } from '#kit/copyable.tsx'
import { sizeText } from '#kit/size-text.ts'
import type { UploadRow } from './upload-list.ts'
import type { Uploads } from './use-uploads.ts'

const stateText = ({ state, share, size, reason }: UploadRow): string => {
  switch (state) {
    case 'sent':
      return t('已上传 {size}', { size: sizeText(size) })
    case 'paused':
      return t('已暂停于 {sent} / {size}', { sent: sizeText(share * size), size: sizeText(size) })
    case 'failed':
      return reason || t('上传失败')
    case 'sending':
      return `${sizeText(share * size)} / ${sizeText(size)}`
  }
}

function HashLine({ row }: { row: UploadRow }) {
  if (row.hashProblem)
    return (
      <span className="upload-hash line-20 gap-4-8 row wrap small tone-error">
        {t('{problem}，将以平台计算的为准', { problem: row.hashProblem })}
      </span>
    )
  if (!row.hashes)
    return (
      <span className="upload-hash line-20 gap-4-8 row wrap small quiet">
        {t('正在本机计算校验值 {percent}%', { percent: Math.floor(row.hashed * 100) })}
      </span>
    )
  return (
    <span className="upload-hash line-20 gap-4-8 row wrap small quiet">
      <span>SHA-256</span>
      <Copyable text={row.hashes.sha256} maxWidth={168} />
      <span>MD5</span>
      <Copyable text={row.hashes.md5} maxWidth={112} />
    </span>
  )
}

function RowButtons({ row, uploads }: { row: UploadRow; uploads: Uploads }) {
  const button = (label: string, icon: React.ReactNode, onClick: () => void) => (
    <Tooltip title={label}>
      <Button type="text" icon={icon} aria-label={`${label} ${row.name}`} onClick={onClick} />
    </Tooltip>
  )
  return (
    <span className="touch inline-row wrap gap-4">
      {row.state === 'sending' && button(t('暂停'), <PauseOutlined />, () => uploads.pause(row.uid))}
      {row.state === 'paused' &&
        button(t('继续', { context: 'resume' }), <CaretRightOutlined />, () => uploads.resume(row.uid))}
      {row.state === 'failed' && button(t('重试'), <RedoOutlined />, () => uploads.resume(row.uid))}
      {button(row.state === 'sent' ? t('移除') : t('取消上传'), <CloseOutlined />, () => uploads.remove(row.uid))}
    </span>
  )
}

function FileRow({ row, uploads }: { row: UploadRow; uploads: Uploads }) {
  return (
    <li className="pad-8-12 boxed column gap-4">
      <div className="row gap-8">
        {row.state === 'sent' ? (
          <CheckCircleFilled className="upload-ok" aria-hidden="true" />
        ) : (
          <FileZipOutlined aria-hidden="true" />
        )}
        <span className="cut grow shrink" title={row.name}>
          {row.name}
        </span>
        <span className={row.state === 'failed' ? 'small tone-error' : 'small quiet'} aria-live="polite">
          {stateText(row)}
        </span>
        <RowButtons row={row} uploads={uploads} />
      </div>
      {row.state !== 'sent' && (
        <Progress
          percent={Math.floor(row.share * 100)}
          size="small"
          status={row.state === 'failed' ? 'exception' : row.state === 'paused' ? 'normal' : 'active'}
          aria-label={t('{name} 的上传进度', { name: row.name })}
        />
      )}
      <HashLine row={row} />
      <Input
        size="small"
        className="mono upload-sign"
        aria-label={t('{name} 的签名', { name: row.name })}
        placeholder={t('Ed25519 签名（Base64，可选），用产品的公钥验证')}
        maxLength={128}
        value={row.signature}
        onChange={(event) => uploads.sign(row.uid, event.target.value)}
      />
    </li>
  )
}

/** Files are dropped or chosen, sent at once and hashed meanwhile (screens.md 21). */
export function UploadDrop({ uploads }: { uploads: Uploads }) {
  return (
    <Upload.Dragger
      multiple
      showUploadList={false}
      beforeUpload={(file, all) => {
        // Called once a file; the whole batch is taken with its last one.
        if (file === all.at(-1)) uploads.add(all)
        return false
      }}
    >
      <p className="bare link" style={{ fontSize: 32, lineHeight: '40px' }}>
        <InboxOutlined />
      </p>
      <p className="bare">{t('选择或拖入升级包文件')}</p>
      <p className="meta bare">
        {t('最多 {files} 个，合计不超过 {size}；中断后重新选择同一文件会接着上传', {
          files: firmwareLimits.files,
          size: sizeText(firmwareLimits.bytes),
        })}
      </p>
    </Upload.Dragger>
  )
}

/** What was chosen and how far it is; what was refused and why. */
export function UploadList({ uploads }: { uploads: Uploads }) {
  if (uploads.rows.length + uploads.refused.length === 0) return null
  return (
    <div className="column gap-12" style={{ margin: '-8px 0 24px' }}>
      {uploads.refused.length > 0 && (
        <Alert type="warning" showIcon title={uploads.refused.map((text) => <div key={text}>{text}</div>)} />
      )}
      <ul className="upload-list bare-list column gap-8">
        {uploads.rows.map((row) => (
          <FileRow key={row.uid} row={row} uploads={uploads} />
        ))}
      </ul>
    </div>
  )
}
