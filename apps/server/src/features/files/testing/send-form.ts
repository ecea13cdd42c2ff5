/** Uploads as browsers send them, and pictures to upload. */
import { uploadFile } from '@ithings/contract/features/files.ts'
import { checkResponse } from '#testing/response-check.ts'
import type { World } from '#testing/world.ts'

export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

export type FormPart = { name: string; value: string } | { name: string; fileName: string; content: Buffer }

const boundary = 'test-boundary-7d1f'

function formBody(parts: FormPart[]): Buffer {
  const chunks = parts.flatMap((part) => {
    const disposition =
      'value' in part
        ? `name="${part.name}"`
        : `name="${part.name}"; filename="${part.fileName}"\r\nContent-Type: image/png`
    return [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
      'value' in part ? Buffer.from(part.value) : part.content,
      Buffer.from('\r\n'),
    ]
  })
  return Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])
}

export async function sendForm(world: World, parts: FormPart[], token = world.admin) {
  const response = await world.app.http.inject({
    method: 'POST',
    url: uploadFile.path,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'iThings-token': token },
    payload: formBody(parts),
  })
  const body = response.json() as { code: number; msg: string; data: { filePath: string; fileUri: string } }
  checkResponse(uploadFile.path, response.statusCode, body)
  return { status: response.statusCode, ...body }
}

export const imageFields = (filePath = 'pump.png'): FormPart[] => [
  { name: 'business', value: 'productManage' },
  { name: 'scene', value: 'productImg' },
  { name: 'filePath', value: filePath },
]

export const filePart = (content: Buffer = png, fileName = 'pump.png'): FormPart => ({
  name: 'file',
  fileName,
  content,
})

/** The path of a picture that was uploaded just now. */
export async function uploadImage(world: World): Promise<string> {
  const sent = await sendForm(world, [...imageFields(), filePart()])
  if (sent.code !== 200) throw new Error(sent.msg)
  return sent.data.filePath
}
