import { DeleteOutlined, PictureOutlined, UploadOutlined } from '@ant-design/icons'
import { type UploadScene, uploadFile, uploadScenes } from '@ithings/contract/features/files.ts'
import { t } from '@ithings/contract/text.ts'
import { Button, Image, Progress, Upload } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { upload } from '#api/upload.ts'
import { describeError } from '#kit/states/describe-error.ts'
import './upload.css'
import { acceptOf, placeOf, refuseUpload, uploadHint } from './upload-rules.ts'

export interface UploadImageProps {
  scene: UploadScene
  /** Link of the picture that is stored now. */
  current?: string
  id?: string
  /** undefined: unchanged; '': removed; else the path of the new upload. */
  value?: string | undefined
  onChange?: (path: string | undefined) => void
  disabled?: boolean
}

/** The transfer of a chosen picture; a closed form stops it, and the browser lets go of the picture. */
function useTransfer(scene: UploadScene, onChange: UploadImageProps['onChange']) {
  const [preview, setPreview] = useState('')
  const [share, setShare] = useState<number>()
  const [refusal, setRefusal] = useState<string>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  useEffect(() => () => URL.revokeObjectURL(preview), [preview])

  const take = async (file: File) => {
    const reason = refuseUpload(scene, file)
    setRefusal(reason)
    if (reason !== undefined) return
    running.current?.abort()
    const mine = new AbortController()
    running.current = mine
    setPreview(URL.createObjectURL(file))
    setShare(0)
    try {
      const sent = await upload(uploadFile, file, placeOf(scene, file.name), {
        onProgress: setShare,
        signal: mine.signal,
      })
      onChange?.(sent.filePath)
    } catch (error) {
      if (mine.signal.aborted) return
      setPreview('')
      setRefusal(describeError(error).reason)
    }
    setShare(undefined)
  }
  return {
    preview,
    share,
    refusal,
    take,
    cancel: () => {
      running.current?.abort()
      setShare(undefined)
      setPreview('')
    },
    back: () => {
      setPreview('')
      setRefusal(undefined)
      onChange?.(undefined)
    },
  }
}

/** A picture as a form field: checked here, sent at once with its progress, taken by the record on saving. */
export function UploadImage({ scene, current = '', id, value, onChange, disabled = false }: UploadImageProps) {
  const { preview, share, refusal, take, cancel, back } = useTransfer(scene, onChange)
  const shown = value === '' ? '' : preview || current
  const label = t(uploadScenes[scene].label)
  return (
    <div className="upload-image row gap-16" id={id}>
      {shown ? (
        <Image className="upload-picture fixed boxed grey-fill" width={72} height={72} src={shown} alt={label} />
      ) : (
        <span className="upload-none fixed boxed grey-fill inline-row center quiet">
          <PictureOutlined aria-hidden="true" />
        </span>
      )}
      <div className="grow shrink">
        <div className="below-4 flex wrap gap-4">
          <Upload
            accept={acceptOf(scene)}
            showUploadList={false}
            disabled={disabled || share !== undefined}
            beforeUpload={(file) => {
              void take(file)
              return false
            }}
          >
            <Button icon={<UploadOutlined />} loading={share !== undefined} disabled={disabled}>
              {shown ? t('更换图片') : t('选择图片')}
            </Button>
          </Upload>
          {share !== undefined ? (
            <Button type="text" onClick={cancel}>
              {t('取消上传')}
            </Button>
          ) : value !== undefined ? (
            <Button type="text" disabled={disabled} onClick={back}>
              {t('撤销更改')}
            </Button>
          ) : (
            shown && (
              <Button type="text" icon={<DeleteOutlined />} disabled={disabled} onClick={() => onChange?.('')}>
                {t('移除')}
              </Button>
            )
          )}
        </div>
        {share !== undefined ? (
          <Progress percent={Math.round(share * 100)} size="small" aria-label={t('上传进度')} />
        ) : refusal === undefined ? (
          <span className="meta">{uploadHint(scene)}</span>
        ) : (
          <span className="meta tone-error" role="alert">
            {refusal}
          </span>
        )}
      </div>
    </div>
  )
}
