import { CopyOutlined, DownloadOutlined } from '@ant-design/icons'
import { type ConfigVersion, restoreConfig } from '@ithings/contract/features/remote-config.ts'
import { Button, Drawer } from 'antd'
import { CodeEditor } from '#kit/code-editor.tsx'
import { useCopy } from '#kit/copyable.tsx'
import { downloadText } from '#kit/download.ts'
import { May } from '#kit/rights.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { usePhone } from '#kit/use-phone.ts'

interface VersionDrawerProps {
  version: ConfigVersion
  productID: string
  open: boolean
  onClose: () => void
  onRestore: (() => void) | undefined
}

export function VersionDrawer({ version, productID, open, onClose, onRestore }: VersionDrawerProps) {
  const phone = usePhone()
  const [, copy] = useCopy()
  const { id, content, note, bytes, userName, createTime } = version
  return (
    <Drawer
      title={`版本 ${id}`}
      open={open}
      onClose={onClose}
      size={phone ? '100%' : 720}
      rootClassName={phone ? 'form-drawer form-drawer-phone' : 'form-drawer'}
      closable={{ placement: 'end' }}
      destroyOnHidden
      footer={
        <div className="form-buttons">
          <span className="form-footer-extra" />
          <Button icon={<CopyOutlined />} onClick={() => copy(content)}>
            复制
          </Button>
          <Button icon={<DownloadOutlined />} onClick={() => downloadText(content, `config-${productID}-${id}.json`)}>
            下载
          </Button>
          {onRestore && (
            <May needs={restoreConfig}>
              <Button type="primary" onClick={onRestore}>
                恢复至此版本
              </Button>
            </May>
          )}
        </div>
      }
    >
      <p className="meta">
        {userName || '系统'} 提交于 <TimeText value={createTime} mode="exact" /> · {bytes.toLocaleString()} 字节
        {note && ` · ${note}`}
      </p>
      <CodeEditor
        language="json"
        readOnly
        aria-label={`版本 ${id} 的内容`}
        height={phone ? 420 : 560}
        value={content}
      />
    </Drawer>
  )
}
