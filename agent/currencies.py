"""How people write what they pay in: signs, ISO 4217 codes and names of the currencies."""

from __future__ import annotations

DOLLARS = r"us\$|\$|usd|dollars?|bucks"
NAMED = (
    r"€|£|₹|¥|₩|₺|r\$|eur(?:os?)?|gbp|pounds?|chf|francs?|rappen|pence|inr|rupees?|jpy|yen|cny|rmb|yuan|krw|"
    r"lira|brl|reais|cad|aud|nzd|sgd|hkd|sek|nok|dkk|kron(?:a|or|er)|kr|pln|zlot(?:y|ych)|zł|czk|huf|"
    r"forint|uah|mxn|pesos?|zar|ils|shekels?|thb|baht|ngn|naira|shillings?|vnd|php|"
    r"idr|rupiah|myr|ringgit|aed|dirhams?"
)
"""Those that are no other word."""
FOREIGN = rf"{NAMED}|won|try|real|rand|ron|lei|dong|kes"
CENTS = r"ct|cents?|p"
EMITTED = r"(?:k?g|(?:kilo)?grams?|kilos?)(?: of)? ?co2(?:e|-?eq)?"
"""What a kWh costs the climate, reckoned with as a price is."""
EVERY = f"{EMITTED}|{DOLLARS}|{FOREIGN}|{CENTS}"
