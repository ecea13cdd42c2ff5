import { t } from '@ithings/contract/text.ts'
import { App } from 'antd'
import { downloadByLink } from '#kit/download.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { useFreshFirmware } from '../../queries.ts'

/** Links are signed and expire: the newest one is asked for at the moment of the click. */
export function useDownload() {
  const { message } = App.useApp()
  const fresh = useFreshFirmware()
  return async (firmwareID: number, names?: readonly string[]) => {
    try {
      const { files } = await fresh(firmwareID)
      for (const file of files) if (!names || names.includes(file.name)) downloadByLink(file.uri, file.name)
    } catch (error) {
      void message.error(t('下载失败：{reason}', { reason: describeError(error).reason }))
    }
  }
}
