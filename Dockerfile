# syntax=docker/dockerfile:1
# Node 24: the newest long-term release that uWebSockets.js has a binary for. Debian 13: the oldest
# whose glibc (2.41) loads that binary as it is.
FROM node:24.11.1-trixie-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && npm cache clean --force

FROM node:24.11.1-trixie-slim
ENV NODE_ENV=production DATA_DIR=/data HOST=0.0.0.0 PORT=8080
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json tsconfig.json ./
COPY config config
COPY adapters adapters
COPY src src
# What the sandbox keeps (its key, and the secret where none is given) is the user's own.
RUN install -d -o node -g node -m 700 /data
USER node
# The sources are compiled and the page of /console is built here: nodes cannot write into their
# image.
RUN ["node", "src/cli.mjs", "console", "build"]
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s --start-period=120s \
  CMD ["node", "config/healthcheck.mjs"]
CMD ["node", "src/cli.mjs", "start"]
