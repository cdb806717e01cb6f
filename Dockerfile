# The donation endpoint. docs/deploy.md says how to run it.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run --silent build && npm prune --omit=dev

FROM node:24.21.0-bookworm-slim
LABEL org.opencontainers.image.title="donation-form" org.opencontainers.image.description="The donation endpoint: it keeps the fundraising platform's key" org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/themes ./themes
COPY --from=build /build/dist ./dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 4101
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["node", "-e", "fetch('http://127.0.0.1:4101/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/server/cli/index.js"]
CMD ["serve", "--config", "/etc/donation-form/donation-form.config.json"]
