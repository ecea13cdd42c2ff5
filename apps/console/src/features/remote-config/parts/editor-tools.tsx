import { CompressOutlined, ExportOutlined, FormatPainterOutlined, ImportOutlined } from '@ant-design/icons'
import { configBytes, maxConfigBytes } from '@ithings/contract/features/remote-config.ts'
import { t } from '@ithings/contract/text.ts'
import { App, Button, Tooltip, Upload } from 'antd'
import { downloadText } from '#kit/download.ts'
import { jsonProblem } from '#kit/json-input.ts'
import { usePhone } from '#kit/use-phone.ts'
import { formatJsonText, minifyJson } from '../reflow-json.ts'

interface EditorToolsProps {
  text: string
  fileName: string
  /** Absent: it may only be read. */
  onChange: ((text: string) => void) | undefined
}

/** More than this is no configuration that somebody would shorten by hand. */
const maxFileBytes = 1024 * 1024

export function EditorTools({ text, fileName, onChange }: EditorToolsProps) {
  const { modal } = App.useApp()
  const phone = usePhone()
  const broken = jsonProblem(text) !== undefined
  const read = async (file: File) => {
    const refuse = (content: string) => modal.error({ title: t('不能读取「{name}」', { name: file.name }), content })
    if (file.size > maxFileBytes) return void refuse(t('文件不能超过 1 MB'))
    const decoder = new TextDecoder('utf-8', { fatal: true })
    try {
      onChange?.(decoder.decode(await file.arrayBuffer()))
    } catch {
      refuse(t('文件不是 UTF-8 文本'))
    }
  }
  const button = (label: string, icon: React.ReactNode, onClick?: () => void, disabled = false) => (
    <Tooltip title={phone ? label : undefined}>
      <Button size="small" type="text" icon={icon} aria-label={label} disabled={disabled} {...(onClick && { onClick })}>
        {!phone && label}
      </Button>
    </Tooltip>
  )
  return (
    <div className="touch row wrap gap-4">
      {onChange && (
        <>
          {button(t('格式化'), <FormatPainterOutlined />, () => onChange(formatJsonText(text)), broken)}
          {button(t('压缩'), <CompressOutlined />, () => onChange(minifyJson(text)), broken)}
          <Upload
            accept=".json,.txt,application/json"
            showUploadList={false}
            beforeUpload={(file) => {
              void read(file)
              return false
            }}
          >
            {button(t('导入文件'), <ImportOutlined />)}
          </Upload>
        </>
      )}
      {button(t('导出文件'), <ExportOutlined />, () => downloadText(text, fileName), text.trim() === '')}
      <ByteCounter text={text} />
    </div>
  )
}

function ByteCounter({ text }: { text: string }) {
  const bytes = configBytes(text)
  const over = bytes > maxConfigBytes
  return (
    <span className={`to-end small ${over ? 'tone-error bold' : 'quiet'}`} role="status" aria-label={t('内容大小')}>
      {t('{bytes, number} / {most, number} 字节', { bytes, most: maxConfigBytes })}
    </span>
  )
}
