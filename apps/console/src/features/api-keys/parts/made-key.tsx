import { t } from '@ithings/contract/text.ts'
import { Alert, Button, Modal } from 'antd'
import { CodeBlock } from '#kit/code-block.tsx'
import { useCopy } from '#kit/copyable.tsx'

const sampleOf = (key: string) =>
  [
    `curl ${window.location.origin}/api/v1/things/device/info/index \\`,
    `  -H 'Authorization: Bearer ${key}' \\`,
    `  -H 'Content-Type: application/json' -d '{"page":{"page":1,"size":10}}'`,
  ].join('\n')

/** The only time that somebody sees it. */
export function MadeKey({ apiKey, onClose }: { apiKey: string | undefined; onClose: () => void }) {
  const [copied, copy] = useCopy()
  return (
    <Modal
      title={t('密钥已创建')}
      open={apiKey !== undefined}
      closable={false}
      keyboard={false}
      destroyOnHidden
      mask={{ closable: false }}
      width={640}
      footer={[
        <Button key="copy" onClick={() => copy(apiKey ?? '')}>
          {copied ? t('已复制') : t('复制密钥')}
        </Button>,
        <Button key="done" type="primary" onClick={onClose}>
          {t('我已保存')}
        </Button>,
      ]}
    >
      <Alert
        type="warning"
        showIcon
        className="below-16"
        title={t('密钥只显示这一次，请现在保存。遗失后只能撤销，再创建新的。')}
      />
      <p className="mono anywhere bold">{apiKey}</p>
      {apiKey && <CodeBlock>{sampleOf(apiKey)}</CodeBlock>}
    </Modal>
  )
}
