import { UploadOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { Button, Upload } from 'antd'
import { useState } from 'react'
import { builtInLogo } from '#kit/built-in-logo.ts'
import { canDraw, isLogo, kilobytes, largestFile, logoTypes, readAsDataUri, refuseLogo } from '../logo-file.ts'

export interface LogoFieldProps {
  id?: string
  value?: string
  onChange?: (logo: string) => void
  disabled?: boolean
}

/** Chosen, checked and shown here; nothing is sent before 保存. */
export function LogoField({ id, value = '', onChange, disabled = false }: LogoFieldProps) {
  const [refusal, setRefusal] = useState<string>()

  const take = async (file: File) => {
    const reason = refuseLogo(file)
    if (reason !== undefined) return setRefusal(reason)
    const address = await readAsDataUri(file)
    if (!isLogo(address) || !(await canDraw(address)))
      return setRefusal(t('「{name}」不是可以显示的图片', { name: file.name }))
    setRefusal(undefined)
    onChange?.(address)
  }

  return (
    <div className="row gap-16" id={id}>
      <img
        className="boxed fixed pad-8 head-fill"
        style={{ width: 64, height: 64, objectFit: 'contain' }}
        src={value || builtInLogo}
        alt={t('平台图标预览')}
      />
      <div className="column gap-4">
        <div className="logo-buttons flex wrap gap-8">
          <Upload
            accept={logoTypes.join()}
            showUploadList={false}
            disabled={disabled}
            beforeUpload={(file) => {
              take(file).catch((error: unknown) => setRefusal(error instanceof Error ? error.message : String(error)))
              return false
            }}
          >
            <Button icon={<UploadOutlined />} disabled={disabled}>
              {t('选择图片')}
            </Button>
          </Upload>
          <Button
            type="text"
            disabled={disabled || value === ''}
            onClick={() => {
              setRefusal(undefined)
              onChange?.('')
            }}
          >
            {t('恢复默认')}
          </Button>
        </div>
        {refusal === undefined ? (
          <span className="meta">
            {value ? `${kilobytes((value.length * 3) / 4)} · ` : t('当前为默认图标 · ')}
            {t('PNG、JPEG、WebP 或 SVG，不超过 {max} KB', { max: Math.floor(largestFile / 1024) })}
          </span>
        ) : (
          <span className="error-text" role="alert">
            {refusal}
          </span>
        )}
      </div>
    </div>
  )
}
