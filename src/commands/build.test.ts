/** What `agentmall plugin pack` writes. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../config.ts'
import { pluginCommands } from './build.ts'

async function pack(...options: string[]) {
  const dataDir = mkdtempSync(join(tmpdir(), 'agentmall-plugin-'))
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onTestFinished(() => {
    printed.mockRestore()
    rmSync(dataDir, { recursive: true })
  })
  const config = readConfig({ DATA_DIR: dataDir, PUBLIC_URL: 'https://mall.example' })
  await pluginCommands(config).parseAsync(['pack', ...options], { from: 'user' })
  return { dataDir, said: JSON.parse(String(printed.mock.calls[0]?.[0])) as { file: string } }
}

test('the archive lands in the data directory, and the folder has the same files', async () => {
  const { dataDir, said } = await pack('--folder')
  const folder = join(dataDir, 'agentmall-plugin')
  expect(said).toMatchObject({
    file: join(dataDir, 'agentmall.zip'), folder, public_url: 'https://mall.example',
  })
  const packed = unzipSync(readFileSync(said.file))
  expect(Object.keys(packed)).toContain('.claude-plugin/plugin.json')
  for (const [path, bytes] of Object.entries(packed)) {
    expect(readFileSync(join(folder, path)).equals(bytes)).toBe(true)
  }
})

test('a name that is no zip is refused', async () => {
  await expect(pack('--output', '/tmp/plugin.tar')).rejects.toThrow('--output must end in .zip.')
})
