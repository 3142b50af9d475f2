(function () {
    // Relative luminance and contrast ratio: WCAG 2.1, "relative luminance" and "contrast ratio".
    function channels(color) {
        const parts = color.match(/[\d.]+/g).map(Number);
        return {rgb: parts.slice(0, 3), alpha: parts.length > 3 ? parts[3] : 1};
    }
    function luminance(rgb) {
        const [r, g, b] = rgb.map(c => {
            const s = c / 255;
            return s <= 0.03928 ? s / 12.92 : Math.pow((s + 0.055) / 1.055, 2.4);
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    }
    function background(element) {
        for (let e = element; e; e = e.parentElement) {
            const color = channels(getComputedStyle(e).backgroundColor);
            if (color.alpha === 1) {
                return color.rgb;
            }
        }
        return [255, 255, 255];
    }
    let worst = 21;
    let faintest = "";
    document.querySelectorAll("details").forEach(d => { d.open = true; });
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const text = texts.currentNode.textContent.trim();
        const parent = texts.currentNode.parentElement;
        if (!text || parent.tagName === "SCRIPT") {
            continue;
        }
        const front = luminance(channels(getComputedStyle(parent).color).rgb);
        const back = luminance(background(parent));
        const contrast = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
        if (contrast < worst) {
            worst = contrast;
            faintest = text.slice(0, 60).replace(/["<>&\s]+/g, " ");
        }
    }
    const result = document.body.dataset;
    result.dark = String(matchMedia("(prefers-color-scheme: dark)").matches);
    result.over = String(Math.max(0, document.documentElement.scrollWidth - innerWidth));
    result.contrast = worst.toFixed(2);
    result.faintest = faintest;
})();
