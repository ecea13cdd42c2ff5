import { uploadFile } from '@ithings/contract/features/files.ts'
import { expect, test } from 'vitest'
import { networkText } from './api-error.ts'
import { makeSessionStore, sessionKeys } from './session-store.ts'
import { guardedStore } from './text-store.ts'
import { type FormAnswer, type FormRequest, makeUpload } from './upload.ts'

const fields = { business: 'productManage', scene: 'productImg', filePath: 'pump.png', rename: true }
const picture = new File(['bytes'], 'pump.png', { type: 'image/png' })

function setUp(answer: Partial<FormAnswer>) {
  const sent: FormRequest[] = []
  const told: string[] = []
  let ended = 0
  const store = makeSessionStore(
    guardedStore(() => {
      throw new Error('memory only')
    }),
  )
  store.signIn('token-1', '7')
  const upload = makeUpload({
    store,
    host: 'http://platform',
    send: async (request) => {
      sent.push(request)
      return { status: 200, renewed: null, raw: '', ...answer }
    },
    notify: (notice) => told.push(notice.text),
    endSession: () => {
      ended += 1
    },
  })
  return { upload, store, sent, told, ended: () => ended }
}

test('the fields and the file travel as one form with the token, and the data comes back', async () => {
  const data = { filePath: 'productManage/productImg/1.png', fileUri: '/api/v1/oss/x' }
  const { upload, sent } = setUp({ raw: JSON.stringify({ code: 200, msg: '成功', data }) })
  await expect(upload(uploadFile, picture, fields)).resolves.toEqual(data)
  const [request] = sent
  expect(request?.url).toBe(`http://platform${uploadFile.path}`)
  expect(request?.headers[sessionKeys.token]).toBe('token-1')
  expect([...(request?.form.keys() ?? [])]).toEqual(['business', 'scene', 'filePath', 'rename', 'file'])
  expect(request?.form.get('rename')).toBe('true')
  expect(request?.form.get('file')).toMatchObject({ name: 'pump.png' })
})

test('object values travel as JSON text, and the file may be left out', async () => {
  const { upload, sent } = setUp({ raw: JSON.stringify({ code: 200, msg: '成功', data: {} }) })
  const tags = [{ key: 'site', value: '一期' }]
  await upload(uploadFile, undefined, { ...fields, tags } as typeof fields)
  expect(sent[0]?.form.get('tags')).toBe('[{"key":"site","value":"一期"}]')
  expect(sent[0]?.form.has('file')).toBe(false)
})

test('a refusal is thrown with its code and told nowhere else', async () => {
  const { upload, told } = setUp({ status: 400, raw: JSON.stringify({ code: 100015, msg: '产品图片不能超过 2 MB' }) })
  await expect(upload(uploadFile, picture, fields)).rejects.toMatchObject({
    code: 100015,
    message: '产品图片不能超过 2 MB',
  })
  expect(told).toEqual([])
})

test('no answer is a network failure', async () => {
  const { upload } = setUp({ status: 0 })
  await expect(upload(uploadFile, picture, fields)).rejects.toMatchObject({ httpStatus: 0, message: networkText })
})

test('spec 7: a renewed token is kept', async () => {
  const { upload, store } = setUp({ renewed: 'token-2', raw: JSON.stringify({ code: 200, msg: '', data: {} }) })
  await upload(uploadFile, picture, fields)
  expect(store.token()).toBe('token-2')
})

test('spec 8: a 401 clears the session and says why', async () => {
  const { upload, store, told, ended } = setUp({
    status: 401,
    raw: JSON.stringify({ code: 100002, msg: 'token已经过期' }),
  })
  await expect(upload(uploadFile, picture, fields)).rejects.toMatchObject({ code: 100002 })
  expect([store.token(), told, ended()]).toEqual(['', ['token已经过期'], 1])
})
