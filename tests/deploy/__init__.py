"""Images and manifests, judged without an engine or a cluster."""
