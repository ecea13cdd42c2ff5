import { CopyOutlined, DownloadOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Drawer, Skeleton } from 'antd'
import { useCopy } from '#kit/copyable.tsx'
import { downloadText } from '#kit/download.ts'
import { JsonView } from '#kit/json-view.tsx'
import { ErrorState } from '#kit/states/error-state.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { tslQuery } from './queries.ts'

interface JsonDrawerProps {
  productID: string
  open: boolean
  onClose: () => void
}

/** The whole model as one document; its file is called tsl.json (spec 3). */
export function JsonDrawer({ productID, open, onClose }: JsonDrawerProps) {
  const phone = usePhone()
  const [, copy] = useCopy()
  const tsl = useQuery({ ...tslQuery(productID), enabled: open })
  const text = tsl.data?.tsl
  return (
    <Drawer
      title="物模型 JSON"
      open={open}
      onClose={onClose}
      size={phone ? '100%' : 720}
      rootClassName={phone ? 'form-drawer form-drawer-phone' : 'form-drawer'}
      closable={{ placement: 'end' }}
      destroyOnHidden
      footer={
        <div className="form-buttons">
          <span className="form-footer-extra meta">其他产品可用「导入物模型」读入这个文件</span>
          <Button icon={<CopyOutlined />} disabled={!text} onClick={() => text && copy(text)}>
            复制
          </Button>
          <Button
            type="primary"
            icon={<DownloadOutlined />}
            disabled={!text}
            onClick={() => text && downloadText(text, 'tsl.json')}
          >
            下载
          </Button>
        </div>
      }
    >
      {tsl.isPending && <Skeleton active paragraph={{ rows: 12 }} title={false} />}
      {tsl.isError && !text && (
        <ErrorState subject="物模型" error={tsl.error} onRetry={() => void tsl.refetch()} retrying={tsl.isFetching} />
      )}
      {text && <JsonView value={text} openLevels={3} maxHeight={10_000} />}
    </Drawer>
  )
}
